// A trip as its owner sees it and as its link shows it: narrow and wide, light and dark, English and French. The pictures are kept.
import assert from 'node:assert/strict';
import { check } from '../parts/checks.mjs';
import { sharedTrip } from '../parts/shared.mjs';
import { accessible, startChromium } from '../parts/chromium.mjs';

const WIDTHS = [375, 1440];
const SCHEMES = ['light', 'dark'];
const LANGUAGES = ['en', 'fr'];

export async function pictures({ server, out }) {
  const started = await startChromium(out);
  if (!started) return;
  const { chrome, picture } = started;
  for (const language of LANGUAGES) {
    // The owner's pages are in the account's language, a link's in the browser's.
    const email = `${language}@example.org`;
    await server.command('user', 'add', email, '--locale', language);
    const link = async () => /https?:\/\/\S+/.exec(await server.command('sign-in-link', email))[0];
    const shared = await check(`a trip to look at, ${language}`, async () =>
      sharedTrip(server, await link(), { startDate: '2099-05-01', endDate: '2099-05-03' }));
    if (!shared) continue;
    const pages = { trips: `${server.base}/trips`, trip: `${server.base}/trips/${shared.trip.id}`, shared: shared.url };
    for (const scheme of SCHEMES) {
      for (const width of WIDTHS) {
        const options = { javaScriptEnabled: false, locale: language, colorScheme: scheme, viewport: { width, height: 900 } };
        const window = await chrome.newContext(options);
        const page = await window.newPage();
        const outside = [];
        page.on('request', request => { if (!request.url().startsWith(server.base)) outside.push(request.url()); });
        await page.goto(await link());
        await page.locator('form[action*="/auth/verify"] button').click();
        for (const [name, address] of Object.entries(pages)) {
          if (name === 'shared') await window.clearCookies();
          await check(`the ${name} page at ${width} pixels, ${scheme}, ${language}: accessible, nothing cut off, nothing from elsewhere`, async () => {
            await page.goto(address);
            await picture(page, `${name}-${width}-${scheme}-${language}`);
            assert.equal(await page.locator('html').getAttribute('lang'), language);
            if (name !== 'trips') assert.equal(await page.locator('svg[role=img]').count(), 2);
            const hidden = await accessible(chrome, window, page, { locale: language, colorScheme: scheme, viewport: options.viewport });
            assert.deepEqual(hidden, []);
            assert.deepEqual(outside, []);
          });
        }
        await window.close();
      }
    }
    await shared.done();
  }
  await chrome.close();
}
