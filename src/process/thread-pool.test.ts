import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createThreadPool, type ThreadPool } from './thread-pool.ts';

interface Run {
  readonly does: 'add' | 'loop' | 'fill' | 'throw' | 'buffer';
  readonly stepMs?: number;
  readonly value?: number;
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

const PROGRAM = `
import { parentPort } from 'node:worker_threads';
let answered = 0;
parentPort.on('message', ({ does, stepMs = 5000, value = 0 }) => {
  const { user, system } = process.threadCpuUsage();
  parentPort.postMessage({ nextStepMs: stepMs, usedMs: (user + system) / 1000 });
  if (does === 'loop') for (;;);
  if (does === 'throw') throw new Error('a fault of the program');
  if (does === 'fill') for (const kept = []; ; ) kept.push(new Array(10000).fill(Math.random()));
  if (does === 'buffer') for (const kept = []; ; ) kept.push(Buffer.alloc(100000, 1));
  parentPort.postMessage({ result: { value: value + 1, answered: ++answered } });
});
`;

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'thread-pool-'));
  await writeFile(join(directory, 'program.mjs'), PROGRAM);
});
afterAll(() => rm(directory, { recursive: true, force: true }));

function createPool(mostWaiting = 50): ThreadPool<Run, { value: number; answered: number }> {
  return createThreadPool({
    file: join(directory, 'program.mjs'),
    timeLimitMs: 5_000,
    mostWaiting,
    memoryMb: 32,
    buffersMb: 32,
    tooSlow: () => new Error('too slow'),
    tooMany: () => new Error('too many'),
  });
}

it('answers, and keeps its threads for the next job', async () => {
  const { run } = createPool();
  expect(await run({ does: 'add', value: 1 })).toEqual({ value: 2, answered: 1 });
  expect(await run({ does: 'add', value: 2 })).toEqual({ value: 3, answered: 2 });
});

it('a thread ends once it has been idle for half a minute, however long it has worked before', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { run } = createPool();
    const answered: number[] = [];
    for (const idleMs of [20_000, 20_000, 20_000, 31_000]) {
      answered.push((await run({ does: 'add' })).answered);
      vi.advanceTimersByTime(idleMs);
    }
    answered.push((await run({ does: 'add' })).answered);
    expect(answered).toEqual([1, 2, 3, 4, 1]);
  } finally {
    vi.useRealTimers();
  }
});

it.each(['loop', 'throw', 'fill', 'buffer'] as const)(
  'a job that does "%s" is ended with its thread; the event loop turns meanwhile, and the next job gets a new thread',
  async (does) => {
    const { run } = createPool();
    let turns = 0;
    const ticking = setInterval(() => turns++, 1);
    await expect(run({ does, stepMs: does === 'loop' ? 50 : 5_000 })).rejects.toThrow('too slow');
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(0);
    expect(await run({ does: 'add', value: 1 })).toEqual({ value: 2, answered: 1 });
  },
);

it('hands over what is transferred', async () => {
  const bytes = new Uint8Array(8);
  expect(await createPool().run({ does: 'add', value: 1, bytes }, undefined, [bytes.buffer])).toMatchObject({
    value: 2,
  });
  expect(bytes.length).toBe(0);
});

it('a job whose step allows more time is still ended by the limit for the whole job', async () => {
  const pool = createThreadPool<Run, never>({
    file: join(directory, 'program.mjs'),
    timeLimitMs: 50,
    mostWaiting: 1,
    memoryMb: 32,
    tooSlow: () => new Error('too slow'),
    tooMany: () => new Error('too many'),
  });
  await expect(pool.run({ does: 'loop', stepMs: 1_000_000 })).rejects.toThrow('too slow');
});

it('refuses immediately when its queue is full; waiting jobs get an answer', async () => {
  const { run } = createPool(2);
  const outcomes = await Promise.allSettled(Array.from({ length: 12 }, (_, value) => run({ does: 'add', value })));
  const answers = outcomes.flatMap((outcome, at) =>
    outcome.status === 'fulfilled' ? [[at, outcome.value.value]] : [],
  );
  expect(answers.length).toBeGreaterThanOrEqual(3);
  expect(answers.length).toBeLessThan(12);
  for (const [at, value] of answers) expect(value).toBe((at ?? 0) + 1);
});

it('a signal ends the job that runs, takes out the one that waits, and leaves the others alone', async () => {
  const { run } = createPool();
  const reason = new Error('no longer wanted');
  const [running, waiting] = [new AbortController(), new AbortController()];
  const loops = [1, 2].map(() => run({ does: 'loop' }, running.signal));
  const left = run({ does: 'add' }, waiting.signal);
  const kept = run({ does: 'add', value: 1 });
  const given = Promise.allSettled([...loops, left]);
  waiting.abort(reason);
  running.abort(reason);
  expect((await given).map((outcome) => outcome.status === 'rejected' && outcome.reason === reason)).toEqual([
    true,
    true,
    true,
  ]);
  expect(await kept).toMatchObject({ value: 2 });
  await expect(run({ does: 'add' }, AbortSignal.abort(reason))).rejects.toBe(reason);
});
