import { expect, it } from 'vitest';
import { groupCalls } from './group-calls.ts';

function watched(options: { lanes?: number; most?: number; collectMs?: number } = {}) {
  const groups: number[][] = [];
  const call = groupCalls<number, number>({
    lanes: 1,
    most: 100,
    ...options,
    run: async (inputs) => {
      groups.push(inputs);
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (inputs.includes(-1)) throw new Error('refused');
      return inputs.map((input) => input * 2);
    },
  });
  return { call, groups };
}

it('takes together what one turn brings, and what arrives meanwhile next', async () => {
  const { call, groups } = watched();
  const first = Promise.all([call(1), call(2), call(3)]);
  await new Promise((resolve) => setTimeout(resolve, 1));
  const second = Promise.all([call(4), call(5)]);
  expect(await first).toEqual([2, 4, 6]);
  expect(await second).toEqual([8, 10]);
  expect(groups).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
});

it('makes no group larger than it may be', async () => {
  const { call, groups } = watched({ most: 2 });
  await Promise.all([1, 2, 3, 4, 5].map(call));
  expect(groups.map((group) => group.length)).toEqual([2, 2, 1]);
});

it('fails all of a group and nobody else', async () => {
  const { call } = watched({ most: 2 });
  const answers = await Promise.allSettled([call(1), call(-1), call(3)]);
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
});

it('collects for a while where it is told to, and is drained without waiting for that', async () => {
  const { call, groups } = watched({ collectMs: 60_000 });
  const answers = [call(1)];
  await new Promise((resolve) => setImmediate(resolve));
  answers.push(call(2));
  expect(groups).toEqual([]);
  await call.drain();
  expect(await Promise.all(answers)).toEqual([2, 4]);
  expect(groups).toEqual([[1, 2]]);
});

it('is flushed of what was handed in until then, and says whether there was anything', async () => {
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
