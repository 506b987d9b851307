// What an agent does with a trip, over any client: `call(tool, arguments)` answers structured content or throws.
import assert from 'node:assert/strict';
import { TITLE } from './source.mjs';
import { until } from './processes.mjs';

export const TOOLS = ['list_trips', 'get_trip', 'get_stage', 'create_trip', 'delete_trip'];

export async function planAndDelete(call, sourceUrl = 'https://www.komoot.com/tour/123456') {
  const created = await call('create_trip', { sourceUrl, idempotencyKey: crypto.randomUUID() });
  assert.ok(created.id, 'create_trip answered no id');

  const trip = await settled(call, created.id);
  assert.equal(trip.failure, undefined, JSON.stringify(trip.failure));
  assert.equal(trip.status, 'ready');
  assert.equal(trip.title, TITLE);
  assert.ok(trip.stages.length >= 3, `only ${trip.stages.length} days`);
  const sum = trip.stages.reduce((km, day) => km + day.distance, 0);
  assert.ok(Math.abs(sum - trip.totalDistance) < 0.01 * trip.stages.length, `days sum to ${sum}, the trip says ${trip.totalDistance}`);

  const [first] = trip.stages;
  const day = await call('get_stage', { tripId: trip.id, stageId: first.stageId });
  assert.equal(day.dayNumber, 1);
  assert.equal(day.distance, first.distance);
  assert.ok(Math.abs(day.startPoint.lat - 46.5) < 0.1, 'the first day starts elsewhere');

  const asked = await call('delete_trip', { id: trip.id });
  assert.equal(asked.confirmationRequired, true);
  assert.ok((await call('get_trip', { id: trip.id })).id, 'asking already deleted the trip');
  await call('delete_trip', { id: trip.id, confirmationToken: asked.confirmationToken });
  await assert.rejects(call('get_trip', { id: trip.id }), /This trip does not exist\./);
  return trip;
}

/** The trip once its route and days are settled. */
export const settled = (call, id) => until('the trip is settled', async () => {
  const trip = await call('get_trip', { id });
  return trip.partial ? undefined : trip;
}, { within: 20_000 });
