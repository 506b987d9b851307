// The official Inspector from the command line, in each era: it judges whether every client can use the schemas of the tools.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check } from '../parts/checks.mjs';
import { run } from '../parts/processes.mjs';
import { accessToken } from '../parts/token.mjs';

const INSPECTOR = fileURLToPath(new URL('../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url));
const ERAS = ['legacy', 'auto', 'modern'];

export async function inspector({ server, signInLink }) {
  const home = await mkdtemp(join(tmpdir(), 'btp-inspector-')); // where it would keep servers and sign-ins
  const token = await accessToken(server, await signInLink());
  const ask = async (era, ...method) => {
    const { output } = await run(process.execPath, [INSPECTOR, '--cli', '--server-url', server.mcp, '--transport', 'http',
      '--header', `Authorization: Bearer ${token}`, '--protocol-era', era, '--format', 'json', '--quiet', '--method', ...method],
    { env: { HOME: home } });
    const [answer, ...said] = output.trim().split('\n');
    return { ...JSON.parse(answer), said };
  };
  for (const era of ERAS) {
    await check(`Inspector, ${era}: every schema of the 13 tools is portable`, async () => {
      const { result: { tools }, said } = await ask(era, 'tools/list', '--strict');
      assert.equal(tools.length, 13);
      assert.deepEqual(said, []);
    });
    await check(`Inspector, ${era}: a tool answers`, async () => {
      const { result } = await ask(era, 'tools/call', '--tool-name', 'list_trips');
      assert.ok(Array.isArray(result.structuredContent.member), JSON.stringify(result));
    });
  }
  await rm(home, { recursive: true, force: true });
}
