import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RECONNECTS, RETRIES } from './retry-policies.ts';
import { pauseAfter, reconnect, type ReconnectPolicy, retry, type RetryPolicy } from './retry.ts';

beforeEach(() => {
  vi.useFakeTimers();
  // The middle of every spread.
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const failure = (code: string): Error => Object.assign(new Error(code), { code });

/** When each try began, and how the retries ended. */
async function observe(
  policy: RetryPolicy,
  work: (tries: number) => unknown,
  options: Parameters<typeof retry>[2] = {},
): Promise<{ begunMs: number[]; result: unknown }> {
  const startedAt = performance.now();
  const begunMs: number[] = [];
  const retrying = retry(
    policy,
    async (tries) => {
      begunMs.push(performance.now() - startedAt);
      return work(tries);
    },
    options,
  ).catch((error: unknown) => `threw ${(error as Error).message}`);
  await vi.runAllTimersAsync();
  return { begunMs, result: await retrying };
}

const always = (): never => {
  throw failure('away');
};

describe('retry', () => {
  it.each<[string, RetryPolicy, number[]]>([
    ['twice as long each time', { retries: ['away'], firstMs: 10, tries: 5 }, [0, 10, 30, 70, 150]],
    ['longer by the first each time', { retries: ['away'], firstMs: 10, growth: 'linear', tries: 4 }, [0, 10, 30, 60]],
    ['for no longer than the most', { retries: ['away'], firstMs: 10, mostMs: 15, tries: 4 }, [0, 10, 25, 40]],
    ['for no time', { retries: ['away'], tries: 3 }, [0, 0, 0]],
    ['within its spread', { retries: ['away'], firstMs: 10, mostMs: 10, spread: [0, 1], tries: 3 }, [0, 5, 10]],
    ['until its patience ends', { retries: ['away'], firstMs: 10, mostMs: 10, patienceMs: 25 }, [0, 10, 20]],
    ['not at all after another error', { retries: ['full'], firstMs: 10, tries: 3 }, [0]],
    ['after what passes a test', { retries: (error) => error instanceof Error, tries: 2 }, [0, 0]],
  ])('pauses %s, and throws the last error', async (_how, policy, begunMs) => {
    expect(await observe(policy, always)).toEqual({ begunMs, result: 'threw away' });
  });

  it('returns the first result, and reports every failure before it', async () => {
    const failed: unknown[] = [];
    const work = (tries: number): unknown => (tries < 3 ? always() : `try ${tries}`);
    const onFailure = (error: unknown, tries: number): unknown => failed.push([(error as Error).message, tries]);
    const policy = { retries: ['away'], firstMs: 10 };
    expect(await observe(policy, work, { onFailure })).toEqual({ begunMs: [0, 10, 30], result: 'try 3' });
    expect(failed).toEqual([
      ['away', 1],
      ['away', 2],
    ]);
  });

  it('waits as long as its caller says instead', async () => {
    const policy = { retries: ['away'], firstMs: 10, mostMs: 10, patienceMs: 1_000 };
    expect((await observe(policy, always, { patienceMs: 15 })).begunMs).toEqual([0, 10]);
    expect((await observe(policy, always, { patienceMs: 0 })).begunMs).toEqual([0]);
  });

  it('tries once more when the signal ends a pause, and not at all after that', async () => {
    const policy = { retries: ['away'], firstMs: 1_000 };
    const stopping = new AbortController();
    setTimeout(() => stopping.abort(), 300);
    expect((await observe(policy, always, { signal: stopping.signal })).begunMs).toEqual([0, 300]);
    expect((await observe(policy, always, { signal: AbortSignal.abort() })).begunMs).toEqual([0]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('reconnect', () => {
  it('connects again with growing pauses, which a steady connection ends, until the signal', async () => {
    const stopping = new AbortController();
    const begunMs: number[] = [];
    const failures: number[] = [];
    const lasts = [0, 0, 0, 101, 0];
    const startedAt = performance.now();
    const connecting = reconnect(
      { firstMs: 10, steadyMs: 100 },
      async () => {
        begunMs.push(performance.now() - startedAt);
        const lastsMs = lasts[begunMs.length - 1];
        if (lastsMs === undefined) stopping.abort();
        await new Promise((resolve) => void setTimeout(resolve, lastsMs));
        // One that just ends counts for the pauses, but did not fail.
        if (begunMs.length !== 2) throw failure('away');
      },
      { signal: stopping.signal, onFailure: (_error, inARow) => failures.push(inARow) },
    );
    await vi.runAllTimersAsync();
    await connecting;
    expect(begunMs).toEqual([0, 10, 30, 70, 181, 201]);
    expect(failures).toEqual([1, 2, 1, 2]);
  });
});

describe('the policies', () => {
  const rows = Object.entries<RetryPolicy | ReconnectPolicy>({ ...RETRIES, ...RECONNECTS });

  it.each(rows)('%s: pauses grow up to the most, within the spread', (_name, policy) => {
    const { firstMs = 0, mostMs = Infinity, spread: [least, most] = [1, 1] } = policy;
    const pauses = (random: number): number[] => {
      vi.mocked(Math.random).mockReturnValue(random);
      return Array.from({ length: 50 }, (_, index) => pauseAfter(policy, index + 1));
    };
    expect(pauses(0)[0]).toBe(firstMs * least);
    expect(pauses(1)[0]).toBe(firstMs * most);
    expect(pauses(1)).toEqual(pauses(1).toSorted((a, b) => a - b));
    expect(pauses(1).at(-1)).toBeLessThanOrEqual(mostMs * most);
  });

  it('end: where the row does not say when, each caller does', () => {
    const open = Object.entries<RetryPolicy>(RETRIES).filter(
      ([, { tries, patienceMs }]) => tries === undefined && patienceMs === undefined,
    );
    expect(open.map(([name]) => name)).toEqual(['storage', 'runCall', 'mail', 'brokerRequest']);
  });
});
