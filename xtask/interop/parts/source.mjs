// A route source on loopback that answers as Komoot and RideWithGPS do, with a route made by arithmetic.
import { createServer } from 'node:http';
import { once } from 'node:events';

export const TITLE = 'Round the "hills" </script> & back';

/** About 290 km in 3,000 points: north-east in waves, over hills of up to 400 m. */
export function points(count = 3000) {
  return Array.from({ length: count }, (_, index) => {
    const t = index / (count - 1), turn = t * 2 * Math.PI;
    return {
      lat: 46.5 + 1.6 * t + 0.02 * Math.sin(23 * turn),
      lng: 2.0 + 2.2 * t + 0.02 * Math.cos(17 * turn),
      alt: 200 + 200 * Math.sin(4 * turn) + 200 * t,
    };
  });
}

const tour = id => ({
  id, type: 'tour_planned', name: TITLE, status: 'public', sport: 'touringbicycle',
  _embedded: { coordinates: { items: points().map((point, index) => ({ ...point, t: index * 4000 })) } },
});

/** A page as Komoot sends it: JSON in a JavaScript string in HTML. */
const page = data => {
  const literal = JSON.stringify(JSON.stringify({ page: data })).replaceAll('</', '<\\/');
  return `<!DOCTYPE html><html><head><title>Tour</title></head><body><script>kmtBoot.setProps(${literal});</script></body></html>`;
};

const route = id => ({
  id, name: TITLE, visibility: 0,
  track_points: points().map(({ lat, lng, alt }) => ({ x: lng, y: lat, e: alt })),
});

// What the source answers for ids that stand for a failure, and the code the trip must end in.
export const FAILURES = {
  404: { status: 404, code: 'not_found' },
  403: { status: 403, code: 'private_or_login_required' },
  410: { status: 410, code: 'gone' },
  429: { status: 429, code: 'rate_limited' },
  503: { status: 503, code: 'source_unavailable' },
  600: { body: '<!DOCTYPE html><title>Something new</title><p>Hello.', code: 'upstream_changed' },
  601: { body: page({ _embedded: { tour: { name: 'Empty', _embedded: { coordinates: { items: [] } } } } }), code: 'no_track_points' },
  602: { status: 302, headers: { location: 'http://localhost:9/elsewhere' }, code: 'redirected_elsewhere' },
};

/** Starts it; answers its base address and how to stop it. */
export async function startSource() {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const send = (type, body, status = 200, headers = {}) => response.writeHead(status, { 'content-type': type, ...headers }).end(body);
    const [, kind, id] = /^(?:\/[a-z]{2}-[a-z]{2})?\/(tour|routes|collection)\/(\d+)(?:\.json)?$/.exec(pathname) ?? [];
    const failure = FAILURES[id];
    if (failure) return send('text/html', failure.body ?? '', failure.status, failure.headers);
    if (kind === 'tour') return send('text/html; charset=utf-8', page({ _embedded: { tour: tour(Number(id)) } }));
    if (kind === 'routes') return send('application/json', JSON.stringify({ type: 'route', route: route(Number(id)) }));
    if (kind === 'collection') {
      const items = [1, 2, 3].map(number => ({ id: Number(id) + number, type: 'tour_planned' }));
      return send('text/html', page({ _embedded: { collectionHal: { id, name: TITLE, _embedded: { compilation: { _embedded: { items } } } } } }));
    }
    return send('text/plain', 'no such page', 404);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { base: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() };
}
