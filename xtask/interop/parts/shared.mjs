// A trip of four or five days with a rest day in it, planned and shared by an agent.
import assert from 'node:assert/strict';
import { connect, caller } from '../suites/typescript.mjs';
import { settled } from './journey.mjs';

/** Answers the trip, its public address, and how to call tools; `done` closes the agent's connection. */
export async function sharedTrip(server, link, more = {}) {
  const client = await connect(server, link, { mode: 'auto' });
  const call = caller(client);
  const sourceUrl = 'https://www.komoot.com/tour/123456';
  const { id } = await call('create_trip', { sourceUrl, idempotencyKey: crypto.randomUUID(), ...more });
  const cut = await settled(call, id);
  await call('edit_stages', { tripId: id, action: 'rest_day', stageId: cut.stages[0].stageId, version: cut.version });
  const trip = await call('get_trip', { id });
  assert.equal(trip.stages[1].isRestDay, true);
  const { url } = await call('share_trip', { tripId: id });
  return { trip, url, call, done: () => client.close() };
}
