// A reverse proxy that adds a token to requests of the MCP endpoint, for a suite that cannot send one.
import { createServer, request } from 'node:http';
import { once } from 'node:events';

/** Starts it on `port` in front of `upstream`; the Host header stays as the client sent it. */
export async function startTokenProxy(port, upstream) {
  const proxy = { token: undefined };
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers };
    if (proxy.token && incoming.url === '/mcp') headers.authorization = `Bearer ${proxy.token}`;
    const forwarded = request(
      { host: '127.0.0.1', port: upstream, path: incoming.url, method: incoming.method, headers },
      answer => { outgoing.writeHead(answer.statusCode, answer.headers); answer.pipe(outgoing); });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  proxy.stop = () => { server.close(); server.closeAllConnections(); };
  return proxy;
}
