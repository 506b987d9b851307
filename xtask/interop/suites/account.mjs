// A person with a mailbox in Chromium: signing up by mail, revoking an application, French, another address, deletion.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check } from '../parts/checks.mjs';
import { startBrowser } from '../parts/chromium.mjs';
import { startMailServer } from '../parts/mailserver.mjs';
import { stop } from '../parts/processes.mjs';
import { Server } from '../parts/server.mjs';
import { accessToken } from '../parts/token.mjs';

const [ANN, ANNA] = ['ann@example.org', 'anna@example.org'];

export async function account({ source, binary, python, out }) {
  const dir = await mkdtemp(join(tmpdir(), 'btp-mail-'));
  const post = await check('a mail server starts', () => startMailServer(python, dir));
  const server = post && await check('the server starts with it', () => Server.start(binary, source, {
    env: { MAILER_URL: post.url, MAILER_FROM: 'Bike Trips <trips@example.org>', SIGN_UP: 'open', SSL_CERT_FILE: post.certificate },
  }));
  const started = server && await startBrowser(out);
  if (started) {
    await life({ ...started, server, post });
    await started.chrome.close();
  }
  if (server) await server.stop();
  if (post) await stop(post.process);
  await rm(dir, { recursive: true, force: true });
}

async function life({ window, page, complaints, look, server, post }) {
  const open = path => page.goto(`${server.base}${path}`);
  const press = async button => { await page.locator(button).click(); };
  const says = async words => assert.ok((await page.locator('main').innerText()).includes(words), `"${words}" is not on the page:\n${await page.locator('main').innerText()}`);

  await check('doctor reaches the mail server', async () => assert.match(await server.command('doctor'), /Everything is well/));

  await check('a mailed link makes the account and signs in', async () => {
    await open('/login');
    await page.fill('input[name=email]', ANN);
    await press('form[action="/login"] button');
    const mail = await post.next(ANN);
    assert.deepEqual([mail.from, mail.subject], ['trips@example.org', 'Your account on Bike Trip Planner']);
    await page.goto(mail.link);
    await says(ANN);
    await press('form[action="/auth/verify"] button');
    assert.ok((await window.cookies()).some(({ name, httpOnly }) => name === 'refresh_token' && httpOnly));
  });

  await check('what was authorized is listed, and revoked ends with the next call', async () => {
    await server.client('interop', 'Interop <b>client</b>');
    const link = /https?:\/\/\S+/.exec(await server.command('sign-in-link', ANN))[0];
    const token = await accessToken(server, link);
    assert.equal(await call(server, token), 200);
    await open('/account');
    await says('Interop <b>client</b>');
    await says('127.0.0.1');
    await look('account');
    await press('form[action="/account/applications/revoke"] button');
    await says('Its access has ended.');
    assert.equal(await call(server, token), 401);
  });

  await check('the person reads French', async () => {
    await page.selectOption('select[name=locale]', 'fr');
    await press('form[action="/account/language"] button');
    assert.equal(await page.locator('html').getAttribute('lang'), 'fr');
    await says('La langue a été modifiée.');
  });
  await look('account-french');

  await check('everything is taken along as JSON', async () => {
    const download = page.waitForEvent('download');
    await press('a[download]');
    const file = await (await download).createReadStream();
    let text = '';
    for await (const part of file) text += part;
    assert.equal(JSON.parse(text).account.email, ANN);
  });

  await check('another address is confirmed from its mailbox, and the old one is told', async () => {
    await page.fill('section[aria-labelledby=address] input[name=email]', ANNA);
    await press('form[action="/account/email"] button');
    const mail = await post.next(ANNA);
    assert.equal(mail.subject, 'Confirmez votre nouvelle adresse e-mail');
    await page.goto(mail.link);
    await look('another-address');
    await press('form[action="/account/email/confirm"] button');
    await says(ANNA);
    const told = await post.next(ANN);
    assert.equal(told.subject, 'Votre adresse e-mail a été modifiée');
    assert.ok(told.text.includes(ANNA) && !told.link);
  });

  await check('the account is deleted by its address, and a mail says so', async () => {
    await press('a[href="/account/delete"]');
    await look('delete');
    await page.fill('form[action="/account/delete"] input[name=email]', ANN);
    await press('form[action="/account/delete"] button');
    await look('delete-mistyped');
    await page.fill('form[action="/account/delete"] input[name=email]', ANNA);
    await press('form[action="/account/delete"] button');
    await says('Votre compte est supprimé');
    await look('deleted');
    assert.equal((await post.next(ANNA)).subject, 'Votre compte a été supprimé');
    await open('/account');
    assert.equal(new URL(page.url()).pathname, '/login');
    assert.ok(!(await server.command('user', 'list')).includes('@'));
  });

  await check('no page of the account does what its policy forbids', () => assert.deepEqual(complaints, []));
  await check('the log names nobody and keeps no secret', () => {
    for (const secret of [ANN, ANNA, 'btl_', 'bts_', post.password]) assert.ok(!server.process.log.includes(secret), secret);
  });
}

/** The status of an agent's call with this token. */
async function call(server, token) {
  const response = await fetch(server.mcp, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  });
  await response.text();
  return response.status;
}
