import fc from 'fast-check';
import { expect, it } from 'vitest';
import { joinReads } from './join-reads.ts';

const turn = (): Promise<void> => new Promise(setImmediate);

it('has one read per key under way, and never returns what was read before the call', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          key: fc.constantFrom('a', 'b'),
          after: fc.nat({ max: 3 }),
          takes: fc.nat({ max: 3 }),
          fails: fc.boolean(),
        }),
        { minLength: 1, maxLength: 20 },
      ),
      async (asks) => {
        const join = joinReads<number>();
        const underWay: Record<string, number> = { a: 0, b: 0 };
        let time = 0;
        let reads = 0;
        const asked = asks.map(async ({ key, after, takes, fails }) => {
          for (let n = 0; n < after; n++) await turn();
          const askedAt = ++time;
          const startedAt = await join(key, async () => {
            const began = ++time;
            reads++;
            underWay[key] = (underWay[key] ?? 0) + 1;
            expect(underWay[key]).toBe(1);
            for (let n = 0; n < takes; n++) await turn();
            underWay[key] = (underWay[key] ?? 0) - 1;
            if (fails) throw Object.assign(new Error('fails'), { began });
            return began;
          }).catch((error: { began: number }) => error.began);
          expect(startedAt).toBeGreaterThan(askedAt);
        });
        await Promise.all(asked);
        expect(reads).toBeLessThanOrEqual(asks.length);
      },
    ),
    { numRuns: 200 },
  );
});

it('makes two reads for a hundred concurrent calls', async () => {
  const join = joinReads<number>();
  let reads = 0;
  const read = async (): Promise<number> => {
    await turn();
    return ++reads;
  };
  const answers = await Promise.all(Array.from({ length: 100 }, () => join('a', read)));
  expect([reads, new Set(answers)]).toEqual([2, new Set([1, 2])]);
});
