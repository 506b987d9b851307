// Other people's clients against the built server.
//
//   node run.mjs --binary PATH --python PATH [--out DIR] [--only SUITE,SUITE]
//
// Each check prints `ok` or `not ok`; the last line is `interop: N passed, N failed`.
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { check, close } from './parts/checks.mjs';
import { stopAll } from './parts/processes.mjs';
import { Server } from './parts/server.mjs';
import { startSource } from './parts/source.mjs';
import { account } from './suites/account.mjs';
import { browser } from './suites/browser.mjs';
import { conformance } from './suites/conformance.mjs';
import { demo } from './suites/demo.mjs';
import { exports } from './suites/exports.mjs';
import { failures } from './suites/failures.mjs';
import { inspector } from './suites/inspector.mjs';
import { pictures } from './suites/pictures.mjs';
import { postgres } from './suites/postgres.mjs';
import { proxy } from './suites/proxy.mjs';
import { python } from './suites/python.mjs';
import { typescript } from './suites/typescript.mjs';

const SUITES = { demo, typescript, python, failures, conformance, inspector, browser, account, pictures, exports, proxy, postgres };

const { values } = parseArgs({
  options: { binary: { type: 'string' }, python: { type: 'string' }, out: { type: 'string' }, only: { type: 'string' } },
});
if (!values.binary || !values.python) {
  console.error('usage: node run.mjs --binary PATH --python PATH [--out DIR] [--only SUITE,SUITE]');
  process.exit(64);
}
const chosen = values.only?.split(',') ?? Object.keys(SUITES);
const out = resolve(values.out ?? 'target/interop');
mkdirSync(out, { recursive: true });

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => stopAll().finally(() => process.exit(1)));
}

const source = await startSource();
const binary = resolve(values.binary);
const server = await check('the server starts, with a person and an application', async () => {
  const server = await Server.start(binary, source.base);
  server.signInLink = await server.person('ann@example.org');
  await server.client('interop', 'Interop <b>client</b>');
  return server;
});
if (server) {
  const context = { server, signInLink: server.signInLink, source: source.base, binary, python: values.python, out };
  for (const name of chosen) await SUITES[name](context);
  await server.stop();
}
await stopAll();
source.stop();
process.exitCode = close();
