// The built server on a free port over a throw-away data folder, and its commands.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, run, start, stop, until } from './processes.mjs';

export const CALLBACK = 'http://127.0.0.1:39123/callback';

// The suites call as one person and application far more often than an agent does. The limiters stay on.
const CEILINGS = Object.fromEntries(
  ['MCP_ENVELOPE', 'MCP_TOOL_CALL', 'MCP_MUTATION', 'TRIP_CREATE', 'OAUTH_AUTHORIZE', 'OAUTH_TOKEN']
    .map(name => [`LIMIT_${name}`, '100000/60']));

export class Server {
  /** Starts the binary; `env` adds settings, `base` is its public address when that is not the one it listens on. */
  static async start(binary, source, { base, env = {}, args = [], port } = {}) {
    const server = new Server();
    server.binary = binary;
    server.port = port ?? await freePort();
    server.data = await mkdtemp(join(tmpdir(), 'btp-interop-'));
    server.base = base ?? `http://127.0.0.1:${server.port}`;
    server.mcp = `${server.base}/mcp`;
    server.env = {
      DATA_DIR: server.data, DEFAULT_URI: server.base, LISTEN: `127.0.0.1:${server.port}`,
      KOMOOT_URL: source, RIDEWITHGPS_URL: source, NOMINATIM_URL: 'off', ...CEILINGS, ...env,
    };
    await server.serve(args);
    return server;
  }

  async serve(args = []) {
    this.process = start(this.binary, ['serve', ...args], { env: this.env });
    const ready = async () => {
      if (this.process.exitCode !== null) throw new Error(`the server ended at once:\n${this.process.log}`);
      return (await fetch(`http://127.0.0.1:${this.port}/readyz`).catch(() => undefined))?.ok;
    };
    await until('the server is ready', ready);
  }

  /** Runs a command beside the server and answers what it printed. */
  async command(...args) {
    return (await run(this.binary, args, { env: this.env })).output.trim();
  }

  /** Makes an account; answers a function that gives a fresh sign-in address for it. */
  async person(email) {
    await this.command('user', 'add', email);
    return async () => /https?:\/\/\S+/.exec(await this.command('sign-in-link', email))[0];
  }

  async client(id, name = id, ...redirects) {
    const uris = (redirects.length ? redirects : [CALLBACK]).flatMap(uri => ['--redirect-uri', uri]);
    await this.command('client', 'add', '--id', id, '--name', name, ...uris);
    return id;
  }

  async stop() {
    await stop(this.process);
    await rm(this.data, { recursive: true, force: true });
  }
}
