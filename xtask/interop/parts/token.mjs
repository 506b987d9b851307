// An access token by the code flow (RFC 6749 §4.1 with RFC 7636), for tools that only take a token.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { CALLBACK } from './server.mjs';
import { Person } from './person.mjs';

export async function accessToken(server, link, scope = 'trips:read trips:write', client = 'interop') {
  const request = authorization(server, { scope, client });
  const back = new URL(await (await new Person(server.base).signIn(link)).decide(request.url));
  return exchange(server, request, back);
}

/** An authorization request as an address, with what its exchange needs. */
export function authorization(server, { scope = 'trips:read trips:write', client = 'interop', redirect = CALLBACK } = {}) {
  const verifier = randomBytes(32).toString('base64url'), state = randomBytes(8).toString('hex');
  const query = new URLSearchParams({
    response_type: 'code', client_id: client, redirect_uri: redirect, scope, state, resource: server.mcp,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 'S256',
  });
  return { url: `${server.base}/oauth/authorize?${query}`, verifier, state, client, redirect };
}

async function exchange(server, { verifier, state, client, redirect }, back) {
  assert.equal(back.searchParams.get('state'), state);
  const response = await fetch(`${server.base}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code', code: back.searchParams.get('code'), client_id: client,
      redirect_uri: redirect, code_verifier: verifier, resource: server.mcp,
    }),
  });
  const answer = await response.json();
  assert.equal(response.status, 200, JSON.stringify(answer));
  return answer.access_token;
}
