// A route that cannot be had settles the trip at once, with the code that says why.
import assert from 'node:assert/strict';
import { check } from '../parts/checks.mjs';
import { settled } from '../parts/journey.mjs';
import { FAILURES } from '../parts/source.mjs';
import { caller, connect } from './typescript.mjs';

export async function failures({ server, signInLink }) {
  const client = await connect(server, await signInLink(), { mode: 'auto' });
  const call = caller(client);
  for (const [id, { code }] of Object.entries(FAILURES)) {
    await check(`a source that fails: ${code}`, async () => {
      const created = await call('create_trip', { sourceUrl: `https://www.komoot.com/tour/${id}`, idempotencyKey: crypto.randomUUID() });
      const trip = await settled(call, created.id);
      assert.equal(trip.failure?.code, code, JSON.stringify(trip));
      assert.deepEqual(trip.categoryStatus, [{ category: 'route', status: 'failed' }]);
    });
  }
  await check('an unsupported address is refused in the call', async () => {
    await assert.rejects(call('create_trip', { sourceUrl: 'https://example.org/route/1' }), error => error.code === -32603);
  });
  await client.close();
}
