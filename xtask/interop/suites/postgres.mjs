// On PostgreSQL, with the web and the background work in processes of their own.
import assert from 'node:assert/strict';
import { check } from '../parts/checks.mjs';
import { planAndDelete } from '../parts/journey.mjs';
import { run, start, stop } from '../parts/processes.mjs';
import { Server } from '../parts/server.mjs';
import { caller, connect } from './typescript.mjs';

export async function postgres({ source, binary }) {
  await check('PostgreSQL: serve without worker, and a worker, plan a trip together', async () => {
    const admin = process.env.BTP_TEST_POSTGRES;
    assert.ok(admin, 'BTP_TEST_POSTGRES names no server: run `cargo xtask test`');
    const url = new URL(`/interop_${process.pid}`, admin).href;
    await run('psql', [admin, '-qc', `create database interop_${process.pid}`]);
    const env = { DATABASE_URL: url };
    await run(binary, ['migrate'], { env });
    const server = await Server.start(binary, source, { env, args: ['--no-worker'] });
    const worker = start(binary, ['worker'], { env: server.env });
    try {
      const link = await server.person('ann@example.org');
      await server.client('interop');
      const client = await connect(server, await link(), { mode: 'auto' });
      await planAndDelete(caller(client));
      await client.close();
    } finally {
      await stop(worker);
      await server.stop();
    }
  });
}
