// Chromium as a person uses it: without script, as every page must work, while axe judges each page.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { check } from './checks.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
// Chromium asks its maker's servers nothing, and does not ask the kernel for a sandbox that root may not have.
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];

/** Chromium, and how to keep a picture of a page. */
export async function startChromium(out) {
  const pictures = join(out, 'screenshots');
  mkdirSync(pictures, { recursive: true });
  const chrome = await check('Chromium starts', () => chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS }));
  return chrome && { chrome, picture: (page, name) => page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true }) };
}

/** A browser with one window; `look` judges the page that is open and keeps its picture, `complaints` is what policies forbade. */
export async function startBrowser(out) {
  const started = await startChromium(out);
  if (!started) return undefined;
  const { chrome, picture } = started;
  const window = await chrome.newContext({ javaScriptEnabled: false });
  const page = await window.newPage();
  const complaints = [];
  page.on('console', message => { if (/security policy/i.test(message.text())) complaints.push(message.text()); });
  const look = async name => {
    await picture(page, name);
    await check(`accessibility of the ${name} page`, () => accessible(chrome, window, page));
  };
  return { chrome, window, page, complaints, look };
}

/** Runs axe on a copy of the page: the same address and cookies in a window (with these options) that may run script. Answers what is cut off at its edge. */
export async function accessible(chrome, window, page, options = {}) {
  const copy = await chrome.newContext({ ...options, bypassCSP: true, storageState: await window.storageState() });
  const tab = await copy.newPage();
  await tab.route(page.url(), async route => route.fulfill({ contentType: 'text/html', body: await page.content() }));
  await tab.goto(page.url());
  await tab.evaluate(AXE);
  const { violations } = await tab.evaluate(() => globalThis.axe.run());
  const hidden = await tab.evaluate(() => [document.documentElement, ...document.querySelectorAll('.scroll')]
    .filter(part => part.scrollWidth > part.clientWidth).map(part => `${part.tagName} is ${part.scrollWidth} wide`));
  await copy.close();
  assert.deepEqual(violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(node => node.html).join(' ')}`), []);
  return hidden;
}
