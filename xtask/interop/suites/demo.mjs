// The first command of the README.
import assert from 'node:assert/strict';
import { check } from '../parts/checks.mjs';
import { run } from '../parts/processes.mjs';

export async function demo({ binary }) {
  for (const time of ['once', 'again']) {
    await check(`demo --check, ${time}: the whole journey in under 15 s`, async () => {
      const start = Date.now();
      const { output } = await run(binary, ['demo', '--check']);
      assert.ok(Date.now() - start < 15_000, `took ${Date.now() - start} ms`);
      assert.match(output, /km/, output);
    });
  }
}
