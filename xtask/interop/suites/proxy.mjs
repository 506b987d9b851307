// Behind a real nginx that ends TLS: addresses, cookies and limits are those of the outside.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check } from '../parts/checks.mjs';
import { freePort, run, start, stop, until } from '../parts/processes.mjs';
import { Server } from '../parts/server.mjs';

const JOURNEY = fileURLToPath(new URL('https_journey.mjs', import.meta.url));
const PER_ADDRESS = 20;

export async function proxy({ source, binary }) {
  const dir = await mkdtemp(join(tmpdir(), 'btp-nginx-'));
  const [front, back] = [await freePort(), await freePort()];
  const base = `https://localhost:${front}`;
  const nginx = await check('nginx starts with a certificate of its own', async () => {
    await run('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2',
      '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-keyout', join(dir, 'key.pem'), '-out', join(dir, 'cert.pem')]);
    await writeFile(join(dir, 'nginx.conf'), configuration(dir, front, back));
    return start('nginx', ['-p', dir, '-c', join(dir, 'nginx.conf'), '-e', join(dir, 'error.log')]);
  });
  const server = nginx && await check('the server starts behind it', () => Server.start(binary, source, {
    base, port: back, env: { TRUSTED_PROXIES: '127.0.0.1/32', LIMIT_OAUTH_TOKEN: `${PER_ADDRESS}/60` },
  }));
  if (!server) return;
  const ca = await readFile(join(dir, 'cert.pem'));
  await until('nginx answers', () => ask(base, '/healthz', { ca }).catch(() => undefined));

  await check('the TypeScript SDK signs in and plans over https', async () => {
    const link = await server.person('ann@example.org');
    await server.client('interop');
    await run(process.execPath, [JOURNEY, server.base, await link()], { env: { NODE_EXTRA_CA_CERTS: join(dir, 'cert.pem') } });
  });

  await check('every printed address is the outside one', async () => {
    const { body } = await ask(base, '/.well-known/oauth-authorization-server', { ca });
    assert.equal(JSON.parse(body).issuer, base);
    const refused = await ask(base, '/mcp', { ca, method: 'POST' });
    assert.equal(refused.status, 401);
    assert.ok(refused.headers['www-authenticate'].includes(`resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`));
  });

  await check('a limit per address counts the client, not the proxy, and believes no client', async () => {
    const token = (localAddress, forged) => ask(base, '/oauth/token', {
      ca, method: 'POST', localAddress,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...(forged && { 'x-forwarded-for': forged }) },
    });
    let refused = 0;
    for (let call = 0; call < 2 * PER_ADDRESS; call += 1) {
      refused += (await token('127.0.0.2', `203.0.113.${call}`)).status === 429 ? 1 : 0;
    }
    assert.equal(refused, PER_ADDRESS, 'calls with forged addresses were counted apart');
    assert.equal((await token('127.0.0.3')).status, 400, 'another client was refused too');
  });

  await server.stop();
  await stop(nginx);
  await rm(dir, { recursive: true, force: true });
}

const configuration = (dir, front, back) => `
daemon off;
pid ${dir}/nginx.pid;
worker_processes 1;
events {}
http {
  access_log off;
  client_body_temp_path ${dir}/body; proxy_temp_path ${dir}/proxy; fastcgi_temp_path ${dir}/fastcgi;
  uwsgi_temp_path ${dir}/uwsgi; scgi_temp_path ${dir}/scgi;
  server {
    listen 127.0.0.1:${front} ssl;
    ssl_certificate ${dir}/cert.pem;
    ssl_certificate_key ${dir}/key.pem;
    location / {
      proxy_pass http://127.0.0.1:${back};
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
    }
  }
}
`;

/** One https request from a chosen loopback address. */
function ask(base, path, { ca, method = 'GET', localAddress = '127.0.0.1', headers = {} } = {}) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const url = new URL(path, base);
  const options = { method, ca, localAddress, headers, host: '127.0.0.1', port: url.port, path, servername: 'localhost', agent: false };
  const outgoing = request({ ...options, headers: { host: url.host, ...headers } }, answer => {
    let body = '';
    answer.on('data', text => { body += text; });
    answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, body }));
  });
  outgoing.on('error', reject);
  outgoing.end();
  return promise;
}
