// Child processes: started here, ended here, whatever happens.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { once } from 'node:events';

const running = new Set();

/** Starts a program that serves until `stop`. Its output is kept, and shown only when it ends by itself. */
export function start(program, args, { env = {}, cwd } = {}) {
  const child = spawn(program, args, { env: { ...process.env, ...env }, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  child.log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', text => { child.log += text; });
  child.ended = once(child, 'close').then(([code, signal]) => {
    running.delete(child);
    if (!child.stopping && code !== 0) console.log(`${program} ended with ${code ?? signal}:\n${child.log.slice(-4000)}`);
    return code;
  }, error => { running.delete(child); throw error; });
  child.ended.catch(() => {});
  running.add(child);
  return child;
}

export async function stop(child) {
  child.stopping = true;
  if (running.has(child)) child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 25_000);
  await child.ended.catch(() => {});
  clearTimeout(late);
}

/** Ends everything that still runs. */
export async function stopAll() {
  await Promise.all([...running].map(stop));
}

/** Runs a program to its end and answers its output; fails when it does. `allow` is for exit codes other than 0. */
export async function run(program, args, { allow = [0], ...options } = {}) {
  const child = start(program, args, options);
  child.stopping = true; // it ends by itself, and whoever called says why it matters
  const code = await child.ended;
  if (!allow.includes(code)) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${child.log}`);
  return { code, output: child.log };
}

/** A loopback port that is free now. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Asks again until `ask` answers something true. For other programs' readiness only: our own server is asked the same way a supervisor would. */
export async function until(what, ask, { within = 30_000, every = 100 } = {}) {
  const end = Date.now() + within;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`waited ${within} ms in vain until ${what}`);
    await new Promise(done => setTimeout(done, every));
  }
}
