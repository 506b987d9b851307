// The official Python SDK, driven through its sign-in by lines of JSON.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { check } from '../parts/checks.mjs';
import { TOOLS } from '../parts/journey.mjs';
import { Person } from '../parts/person.mjs';
import { CALLBACK } from '../parts/server.mjs';

const SCRIPT = fileURLToPath(new URL('python_client.py', import.meta.url));

export async function python({ server, signInLink, python }) {
  await check('Python SDK, 2026-07-28: signs in through the consent form, then plans and deletes a trip', async () => {
    const person = await new Person(server.base).signIn(await signInLink());
    const child = spawn(python, [SCRIPT, server.mcp, 'interop', CALLBACK], { stdio: ['pipe', 'pipe', 'pipe'] });
    let errors = '';
    child.stderr.on('data', text => { errors += text; });
    const ended = once(child, 'close');
    let done;
    for await (const line of createInterface({ input: child.stdout })) {
      const said = JSON.parse(line);
      if (said.authorize) child.stdin.write(`${await person.decide(said.authorize)}\n`);
      done = said.done ?? done;
    }
    const [code] = await ended;
    assert.equal(code, 0, errors);
    assert.deepEqual(done.tools, TOOLS);
  });
}
