// What an agent does with a trip, over any client: `call(tool, arguments)` answers structured content or throws.
import assert from 'node:assert/strict';
import { TITLE } from './source.mjs';
import { until } from './processes.mjs';

export const TOOLS = ['list_trips', 'get_trip', 'get_stage', 'search_places', 'create_trip', 'update_trip_settings', 'edit_stages', 'add_waypoint',
  'choose_accommodation', 'analyze_trip', 'share_trip', 'unshare_trip', 'delete_trip'];

export async function planAndDelete(call, sourceUrl = 'https://www.komoot.com/tour/123456') {
  const { member: [place] } = await call('search_places', { q: 'geneve', limit: 1 });
  assert.match(place.displayName, /Gen(è|e)ve|Geneva/);

  const created = await call('create_trip', { sourceUrl, idempotencyKey: crypto.randomUUID() });
  assert.ok(created.id, 'create_trip answered no id');

  const trip = await settled(call, created.id);
  assert.equal(trip.failure, undefined, JSON.stringify(trip.failure));
  assert.equal(trip.status, 'ready');
  assert.equal(trip.title, TITLE);
  assert.ok(trip.stages.length >= 3, `only ${trip.stages.length} days`);
  const sum = trip.stages.reduce((km, day) => km + day.distance, 0);
  assert.ok(Math.abs(sum - trip.totalDistance) < 0.01 * trip.stages.length, `days sum to ${sum}, the trip says ${trip.totalDistance}`);

  const listed = await call('list_trips', { itemsPerPage: 30 });
  assert.ok(listed.member.some(({ id }) => id === trip.id), 'the list does not have the trip');

  const [first] = trip.stages;
  const day = await call('get_stage', { tripId: trip.id, stageId: first.stageId });
  assert.equal(day.dayNumber, 1);
  assert.equal(day.distance, first.distance);
  assert.ok(Math.abs(day.startPoint.lat - 46.5) < 0.1, 'the first day starts elsewhere');

  await change(call, trip);

  const asked = await call('delete_trip', { id: trip.id });
  assert.equal(asked.confirmationRequired, true);
  assert.ok((await call('get_trip', { id: trip.id })).id, 'asking already deleted the trip');
  await call('delete_trip', { id: trip.id, confirmationToken: asked.confirmationToken });
  await assert.rejects(call('get_trip', { id: trip.id }), /This trip does not exist\./);
  return trip;
}

/** Every tool that changes a trip: edits with chained versions, settings after asking, a link made and revoked. */
async function change(call, trip) {
  const tripId = trip.id, [first, second] = trip.stages.map(day => day.stageId);
  let { version } = trip;
  const edit = async step => ({ version } = await call('edit_stages', { tripId, version, ...step }));
  await edit({ action: 'update', stageId: first, distance: 40 });
  await edit({ action: 'update', stageId: second, label: 'Over the hills' });
  await edit({ action: 'rest_day', stageId: first });
  const edited = await call('get_trip', { id: tripId });
  assert.equal(edited.version, version, 'an edit answered another version than the trip has');
  assert.deepEqual(edited.stages.slice(0, 2).map(day => [day.distance, day.isRestDay]), [[40, false], [0, true]]);
  const stale = { tripId, version: trip.version, action: 'delete', stageId: first };
  await assert.rejects(call('edit_stages', stale), /has moved on: you edited version/);
  ({ version } = await call('choose_accommodation', { tripId, version, stageId: first }));

  const settings = { id: tripId, version, maxDistancePerDay: 120 };
  const question = await call('update_trip_settings', settings);
  assert.equal(question.impact.tripId, tripId);
  ({ version } = await call('update_trip_settings', { ...settings, confirmationToken: question.confirmationToken }));
  const recut = await call('get_trip', { id: tripId });
  assert.equal(recut.version, version);
  assert.ok(recut.stages.length < trip.stages.length, 'longer days did not make fewer of them');

  const shared = await call('share_trip', { tripId });
  assert.ok(shared.url.endsWith(`/s/${shared.shortCode}`), shared.url);
  assert.equal((await call('share_trip', { tripId })).url, shared.url);
  const revoke = await call('unshare_trip', { tripId });
  assert.equal(revoke.impact.hasActiveShareLink, true);
  await call('unshare_trip', { tripId, confirmationToken: revoke.confirmationToken });
  await assert.rejects(call('unshare_trip', { tripId }), /This trip has no public link\./);

  // What needs map data says so while the server has none.
  const place = { tripId, stageId: recut.stages[0].stageId, waypointLat: 46.6, waypointLon: 2.1 };
  await assert.rejects(call('add_waypoint', place), /map data/);
  await assert.rejects(call('analyze_trip', { id: tripId }), /map data/);
}

/** The trip once its route and days are settled. */
export const settled = (call, id) => until('the trip is settled', async () => {
  const trip = await call('get_trip', { id });
  return trip.partial ? undefined : trip;
}, { within: 20_000 });
