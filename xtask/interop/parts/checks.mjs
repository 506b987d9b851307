// Counting checks: each prints `ok` or `not ok`, and the run ends with the one line that the caller reads.
import { performance } from 'node:perf_hooks';

let passed = 0, failed = 0;

/** Runs one check; the run goes on whatever its end. Answers what the check answered, or undefined when it failed. */
export async function check(name, run) {
  const start = performance.now();
  try {
    const answer = await run();
    passed += 1;
    console.log(`ok      ${name} (${Math.round(performance.now() - start)} ms)`);
    return answer;
  } catch (error) {
    failed += 1;
    console.log(`not ok  ${name}\n        ${String(error?.stack ?? error).replaceAll('\n', '\n        ')}`);
    for (let cause = error?.cause; cause; cause = cause.cause) console.log(`        because ${cause?.stack ?? cause}`);
    return undefined;
  }
}

/** Counts the outcome of a check that another program ran. */
export function record(name, ok, why = '') {
  if (ok) passed += 1; else failed += 1;
  console.log(`${ok ? 'ok     ' : 'not ok '} ${name}${why && `\n        ${why}`}`);
}

export function close() {
  console.log(`interop: ${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}
