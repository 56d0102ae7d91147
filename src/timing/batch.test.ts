import { expect, it } from 'vitest';
import { batch } from './batch.ts';

function watched(options: { lanes?: number; most?: number; collectMs?: number } = {}) {
  const groups: number[][] = [];
  const call = batch<number, number>({
    lanes: 1,
    most: 100,
    ...options,
    run: async (inputs) => {
      groups.push(inputs);
      // Takes a moment, in which further calls arrive.
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (inputs.includes(-1)) throw new Error('refused');
      return inputs.map((input) => input * 2);
    },
  });
  return { call, groups };
}

it('batches the calls of one turn, and those that arrive meanwhile next', async () => {
  const { call, groups } = watched();
  const first = Promise.all([call(1), call(2), call(3)]);
  await new Promise((resolve) => setImmediate(resolve));
  const second = Promise.all([call(4), call(5)]);
  expect(await first).toEqual([2, 4, 6]);
  expect(await second).toEqual([8, 10]);
  expect(groups).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
});

it('makes no batch larger than allowed', async () => {
  const { call, groups } = watched({ most: 2 });
  await Promise.all([1, 2, 3, 4, 5].map(call));
  expect(groups.map((group) => group.length)).toEqual([2, 2, 1]);
});

it('fails all calls of a batch and no others', async () => {
  const { call } = watched({ most: 2 });
  const answers = await Promise.allSettled([call(1), call(-1), call(3)]);
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
});

it('collects for a while if configured, and is drained without that wait', async () => {
  const { call, groups } = watched({ collectMs: 60_000 });
  const answers = [call(1)];
  await new Promise((resolve) => setImmediate(resolve));
  answers.push(call(2));
  expect(groups).toEqual([]);
  await call.drain();
  expect(await Promise.all(answers)).toEqual([2, 4]);
  expect(groups).toEqual([[1, 2]]);
});

it('flushes the calls made so far, and returns whether there were any', async () => {
  const { call, groups } = watched({ most: 2, collectMs: 60_000 });
  expect(await call.flush()).toBe(false);
  const early = [call(1), call(2), call(3)];
  const flushing = call.flush();
  const late = call(4);
  expect(await flushing).toBe(true);
  expect(await Promise.all(early)).toEqual([2, 4, 6]);
  expect(groups.slice(0, 2)).toEqual([
    [1, 2],
    [3, 4],
  ]);
  await late;
});

it('retries the calls of a failed batch one by one if one of them may be the cause', async () => {
  const runs: [number[], boolean][] = [];
  const call = batch<number, number>({
    lanes: 1,
    most: 100,
    retriesAlone: (error, size) => size > 1 && (error as Error).message === 'bad value',
    run: async (inputs, { isRetry }) => {
      runs.push([inputs, isRetry]);
      if (inputs.includes(-1)) throw new Error('bad value');
      if (inputs.includes(-2)) throw new Error('away');
      return inputs;
    },
  });
  const statuses = async (inputs: number[]): Promise<string[]> =>
    (await Promise.allSettled(inputs.map(call))).map(({ status }) => status);
  expect(await statuses([1, -1, 2])).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(runs).toEqual([
    [[1, -1, 2], false],
    [[1], true],
    [[-1], true],
    [[2], true],
  ]);
  expect(await statuses([1, -2])).toEqual(['rejected', 'rejected']);
  expect(await statuses([-1])).toEqual(['rejected']);
  expect(runs).toHaveLength(6);
});

it('rejects a call that its batch has no answer for', async () => {
  const call = batch<number, number>({ lanes: 1, most: 2, run: async ([first = 0]) => [first] });
  expect(await call(1)).toBe(1);
  const [one, two] = await Promise.allSettled([call(1), call(2)]);
  expect([one.status, two.status]).toEqual(['fulfilled', 'rejected']);
});
