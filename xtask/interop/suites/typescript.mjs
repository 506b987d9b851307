// The official TypeScript SDK, as an old and as a new client: signs in by itself, then plans a trip.
import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { check } from '../parts/checks.mjs';
import { planAndDelete, TOOLS } from '../parts/journey.mjs';
import { Person } from '../parts/person.mjs';
import { CALLBACK } from '../parts/server.mjs';

const ERAS = [
  ['handshake era', { mode: 'legacy' }, '2025-11-25'],
  ['2026-07-28', { mode: { pin: '2026-07-28' } }, '2026-07-28'],
  ['negotiating', { mode: 'auto' }, '2026-07-28'],
];

export async function typescript({ server, signInLink }) {
  for (const [name, versionNegotiation, expected] of ERAS) {
    await check(`TypeScript SDK, ${name}: signs in through the consent form, then plans and deletes a trip`, async () => {
      const client = await connect(server, await signInLink(), versionNegotiation);
      try {
        assert.equal(client.getNegotiatedProtocolVersion?.() ?? expected, expected);
        assert.equal(client.getServerVersion().name, 'bike-trip-planner');
        const { tools } = await client.listTools();
        assert.deepEqual(tools.map(tool => tool.name), TOOLS);
        await planAndDelete(caller(client));
      } finally {
        await client.close();
      }
    });
  }
}

/** `call` over an SDK client; a JSON-RPC error is thrown by the SDK. */
export const caller = client => async (name, args) => {
  const answer = await client.callTool({ name, arguments: args });
  assert.notEqual(answer.isError, true, JSON.stringify(answer.content));
  assert.deepEqual(JSON.parse(answer.content[0].text), answer.structuredContent);
  return answer.structuredContent;
};

/** A connected client whose person consented. */
export async function connect(server, link, versionNegotiation) {
  const person = await new Person(server.base).signIn(link);
  const provider = new Provider();
  const open = () => {
    const client = new Client({ name: 'interop', version: '1.0.0' }, { versionNegotiation });
    const transport = new StreamableHTTPClientTransport(new URL(server.mcp), { authProvider: provider });
    return { client, transport };
  };
  const refused = open();
  await assert.rejects(refused.client.connect(refused.transport), UnauthorizedError);
  const back = new URL(await person.decide(provider.authorizationUrl));
  assert.equal(back.searchParams.get('iss'), server.base);
  await refused.transport.finishAuth(back.searchParams);
  const { client, transport } = open();
  await client.connect(transport);
  return client;
}

class Provider {
  redirectUrl = CALLBACK;
  clientMetadata = { client_name: 'interop', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' };
  #tokens; #verifier; #state = crypto.randomUUID(); #discovery;

  state() { return this.#state; }
  clientInformation() { return { client_id: 'interop' }; }
  tokens() { return this.#tokens; }
  saveTokens(tokens) { this.#tokens = tokens; }
  codeVerifier() { return this.#verifier; }
  saveCodeVerifier(verifier) { this.#verifier = verifier; }
  discoveryState() { return this.#discovery; }
  saveDiscoveryState(state) { this.#discovery = state; }
  redirectToAuthorization(url) { this.authorizationUrl = url; }
}
