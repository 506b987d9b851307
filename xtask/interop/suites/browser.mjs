// A person in Chromium: signs in by link, reads the consent page, refuses, consents.
import assert from 'node:assert/strict';
import { check } from '../parts/checks.mjs';
import { startBrowser } from '../parts/chromium.mjs';
import { authorization } from '../parts/token.mjs';

export async function browser({ server, signInLink, out }) {
  const started = await startBrowser(out);
  if (!started) return;
  const { chrome, window, page, complaints, look } = started;

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

  // attack: 64
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
