// A person with a browser that has no script: cookies, redirects on one site, and the forms of pages.
import assert from 'node:assert/strict';

export class Person {
  #cookies = new Map();

  constructor(base) { this.base = base; }

  /** Signs in by a one-time link: opens its page and presses the button. */
  async signIn(link) {
    const page = await this.open(link);
    await this.submit(page, form => form.action.includes('/auth/verify'));
    assert.ok(this.#cookies.has('refresh_token'), 'signing in set no session cookie');
    return this;
  }

  /** Follows an authorization request to the consent page, decides, and answers the address it is sent back to. */
  async decide(authorize, decision = 'authorize') {
    const consent = await this.open(authorize);
    assert.ok(consent.html, `no consent page, but ${consent.away}`);
    assert.match(new URL(consent.url).pathname, /^\/oauth\/consent\//);
    const { away } = await this.submit(consent, form => form.action.includes('/oauth/consent/'), { decision });
    assert.ok(away, 'the decision did not lead back to the application');
    return away;
  }

  /** A page with its address, or `away`: an address on another site. */
  async open(url, init = {}) {
    for (let hops = 0; hops < 10; hops += 1) {
      const response = await fetch(url, { redirect: 'manual', ...init, headers: { accept: 'text/html', cookie: this.cookie(), ...init.headers } });
      for (const line of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
        if (value) this.#cookies.set(name, value); else this.#cookies.delete(name);
      }
      const location = response.headers.get('location');
      const body = await response.text();
      if (!location) {
        assert.ok(response.ok, `${url} answered ${response.status}: ${body.slice(0, 500)}`);
        return { url: String(url), html: body, headers: response.headers };
      }
      const next = new URL(location, url);
      if (next.origin !== new URL(this.base).origin) return { away: next.href };
      [url, init] = [next, {}];
    }
    throw new Error(`${url} redirects for ever`);
  }

  /** Submits the form of a page that `which` picks, with its hidden fields and these. */
  async submit({ url, html }, which, fields = {}) {
    const form = forms(html, url).find(which);
    assert.ok(form, `no such form on ${url}: ${html.slice(0, 2000)}`);
    return this.open(form.action, {
      method: 'POST',
      headers: { origin: new URL(url).origin },
      body: new URLSearchParams({ ...form.hidden, ...fields }),
    });
  }

  cookie() { return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '); }
}

function forms(html, url) {
  return [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, tag, inner]) => ({
    action: new URL(attribute(tag, 'action') ?? '', url).href,
    hidden: Object.fromEntries([...inner.matchAll(/<input\b([^>]*)>/g)].map(([, input]) => input)
      .filter(input => attribute(input, 'type') === 'hidden')
      .map(input => [attribute(input, 'name'), attribute(input, 'value') ?? ''])),
  }));
}

const NAMED = { amp: '&', lt: '<', gt: '>', quot: '"' };

function attribute(tag, name) {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
  return value?.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (all, hex, decimal, word) =>
    word ? NAMED[word] ?? all : String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal)));
}
