// The official conformance suite, both revisions, and its scenarios for an authorization server.
//
// A baseline names what a server with tools of its own cannot pass, because the scenario calls a fixture tool or needs a
// capability that is not offered. An entry that passes after all fails the run, so it can only shrink.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check } from '../parts/checks.mjs';
import { freePort, run, start } from '../parts/processes.mjs';
import { Person } from '../parts/person.mjs';
import { Server } from '../parts/server.mjs';
import { accessToken } from '../parts/token.mjs';
import { startTokenProxy } from '../parts/tokenproxy.mjs';

const SUITE = fileURLToPath(new URL('../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url));
const baseline = revision => fileURLToPath(new URL(`baseline-${revision}.yml`, import.meta.url));

export async function conformance({ source, binary, out }) {
  const front = await freePort();
  const server = await Server.start(binary, source, { base: `http://127.0.0.1:${front}` });
  const proxy = await startTokenProxy(front, server.port);
  const link = await server.person('ann@example.org');
  await server.client('interop');

  for (const revision of ['2025-11-25', '2026-07-28']) {
    await check(`conformance suite, server, ${revision}`, async () => {
      proxy.token = await accessToken(server, await link());
      const { output } = await run(process.execPath, [SUITE, 'server', '--url', server.mcp, '--requirements', revision,
        '--expected-failures', baseline(revision), '-o', join(out, `conformance-${revision}`)]);
      console.log(summary(output));
    });
  }
  proxy.token = undefined;
  await check('conformance suite, authorization server', () => authorizationServer(server, link, out));
  proxy.stop();
  await server.stop();
}

/** Runs the scenarios; where one prints an authorization address, a person follows it and consents. */
async function authorizationServer(server, link, out) {
  const port = await freePort();
  await server.client('conformance', 'Conformance suite', `http://127.0.0.1:${port}/callback`);
  const suite = start(process.execPath, [SUITE, 'authorization', '--url', server.base, '--client-id', 'conformance',
    '--resource', server.mcp, '-p', String(port), '-o', join(out, 'conformance-authorization'), '--verbose']);
  suite.stopping = true; // it ends by itself
  let followed;
  suite.stdout.on('data', () => {
    const printed = /https?:\/\/\S+\/oauth\/authorize\?[^\s"\\]+/.exec(suite.log)?.[0];
    followed ??= printed && follow(server, link, printed).catch(error => { suite.kill(); throw error; });
  });
  const code = await suite.ended;
  await followed;
  for (const scenario of ['authorization-server-metadata-endpoint', 'authorization-code-grant']) {
    const passed = new RegExp(`${scenario}: [1-9]\\d* passed, 0 failed`).test(suite.log);
    assert.ok(code === 0 && passed, `${scenario} did not pass:\n${suite.log.slice(-6000)}`);
  }
  console.log(summary(suite.log));
}

const summary = output => output.split('\n').filter(line => /^Total: |^.*Baseline check/.test(line)).map(line => `        ${line}`).join('\n');

/** The suite asks for no scope, which our server refuses: the person's browser adds one. */
async function follow(server, link, printed) {
  const url = new URL(printed);
  url.searchParams.set('scope', url.searchParams.get('scope') ?? 'trips:read trips:write');
  const person = await new Person(server.base).signIn(await link());
  await fetch(await person.decide(url));
}
