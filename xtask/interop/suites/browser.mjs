// A person in Chromium: signs in by link, reads the consent page, refuses, consents.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { check } from '../parts/checks.mjs';
import { authorization } from '../parts/token.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
// Chromium asks its maker's servers nothing, and does not ask the kernel for a sandbox that root may not have.
export const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];

export async function browser({ server, signInLink, out }) {
  const pictures = join(out, 'screenshots');
  mkdirSync(pictures, { recursive: true });
  const chrome = await check('Chromium starts', () => chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS }));
  if (!chrome) return;
  // Without script, as every page must work.
  const window = await chrome.newContext({ javaScriptEnabled: false });
  const page = await window.newPage();
  const complaints = [];
  page.on('console', message => { if (/security policy/i.test(message.text())) complaints.push(message.text()); });

  const look = async name => {
    await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
    await check(`accessibility of the ${name} page`, () => accessible(chrome, window, page));
  };

  await check('signed out, an authorization request leads to the sign-in page', async () => {
    await page.goto(authorization(server).url);
    assert.equal(new URL(page.url()).pathname, '/login');
    assert.ok(await page.locator('input[name=email]').isVisible());
  });
  await look('login');

  await check('the link opens a page whose button signs in', async () => {
    await page.goto(await signInLink());
    await look('verify');
    await page.locator('form[action*="/auth/verify"] button').click();
    const cookie = (await window.cookies()).find(({ name }) => name === 'refresh_token');
    assert.ok(cookie?.httpOnly && cookie.sameSite === 'Lax', JSON.stringify(cookie));
  });
  await look('signed-in');

  await check('a spent link signs nobody in', async () => {
    const link = await signInLink();
    for (const expected of [true, false]) {
      const other = await chrome.newContext({ javaScriptEnabled: false });
      const tab = await other.newPage();
      await tab.goto(link);
      const button = tab.locator('form[action*="/auth/verify"] button');
      if (await button.count()) await button.click();
      assert.equal((await other.cookies()).some(({ name }) => name === 'refresh_token'), expected);
      await other.close();
    }
  });

  await check('the consent page says who asks, for what, where it leads, and who is signed in', async () => {
    await page.goto(authorization(server).url);
    const text = await page.locator('body').innerText();
    for (const part of ['Interop <b>client</b>', 'interop', 'Read your trips', 'Create, change, share and delete', '127.0.0.1', 'ann@example.org']) {
      assert.ok(text.includes(part), `"${part}" is not on the page:\n${text}`);
    }
    assert.match(text, /this (computer|device|machine)|your (own )?(computer|device|machine)|loopback|local/i, 'there is no loopback warning');
  });
  await look('consent');

  for (const [decision, key] of [['refuse', 'error'], ['authorize', 'code']]) {
    await check(`${decision} leads back with ${key}, state and iss`, async () => {
      const request = authorization(server);
      const { promise, resolve } = Promise.withResolvers();
      await window.route(`${request.redirect}?*`, route => {
        resolve(new URL(route.request().url()));
        return route.fulfill({ body: 'back at the application' });
      });
      await page.goto(request.url);
      await page.locator(`button[name=decision][value=${decision}]`).click();
      const back = await promise;
      await window.unroute(`${request.redirect}?*`);
      assert.ok(back.searchParams.get(key), back.href);
      if (key === 'error') assert.equal(back.searchParams.get(key), 'access_denied');
      assert.equal(back.searchParams.get('state'), request.state);
      assert.equal(back.searchParams.get('iss'), server.base);
    });
  }

  await check('no page does what its policy forbids', () => assert.deepEqual(complaints, []));
  await chrome.close();
}

/** Runs axe on a copy of the page: the same address and cookies in a window (with these options) that may run script. Answers its width. */
export async function accessible(chrome, window, page, options = {}) {
  const copy = await chrome.newContext({ ...options, bypassCSP: true, storageState: await window.storageState() });
  const tab = await copy.newPage();
  await tab.route(page.url(), async route => route.fulfill({ contentType: 'text/html', body: await page.content() }));
  await tab.goto(page.url());
  await tab.evaluate(AXE);
  const { violations } = await tab.evaluate(() => globalThis.axe.run());
  const width = await tab.evaluate(() => ({ scroll: document.documentElement.scrollWidth, client: document.documentElement.clientWidth }));
  await copy.close();
  assert.deepEqual(violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(node => node.html).join(' ')}`), []);
  return width;
}
