import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { whileAllowed } from './while-allowed.ts';

async function* source(values: readonly (number | undefined)[], pauseMs = 0): AsyncGenerator<number | undefined> {
  for (const value of values) {
    await sleep(pauseMs);
    yield value;
  }
}

const refuseAfter = (times: number) => async (): Promise<void> => {
  if (times-- <= 0) throw new Error('no longer');
};

it.each([
  ['passes everything on while it is allowed', [1, undefined, 2], 9, 60_000, [1, undefined, 2]],
  ['ends a quiet stream at its next quiet moment', [1, undefined, 2, undefined, 3], 1, 60_000, [1, undefined, 2]],
  ['ends a stream that is never quiet, too', [1, 2, 3], 0, 1, []],
])('%s', async (_, values, allowed, everyMs, expected) => {
  const passed: (number | undefined)[] = [];
  for await (const value of whileAllowed(source(values, 5), refuseAfter(allowed), everyMs)) passed.push(value);
  expect(passed).toEqual(expected);
});
