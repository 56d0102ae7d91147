import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { ROUTE_COSTS } from '../../../contract/route-cost.ts';
import { type Admission, createAdmission } from './admission.ts';
import { BODIES, BODY_MEMORY, type PlaceRow, PLACES, placesFor, WAIT_MS } from './limits.ts';

const OPEN: PlaceRow = { perMinute: 0, each: 2, total: 4, strangers: 4, waiting: 4 };
const admissionOf = (row: Partial<PlaceRow>): Admission =>
  createAdmission({ ...PLACES, database: { ...OPEN, ...row } });
const get = (): Request => new Request('http://localhost/');
const pass = <T>(admission: Admission, userId: string, work: () => Promise<T>): Promise<T> =>
  admission.serve({ cost: 'database' }, { userId }, get(), work);

/** Work that ends on demand, and the order in which it began. */
function createWork(admission: Admission): {
  start(who: string): Promise<string>;
  begun: string[];
  end(who: string): void;
} {
  const begun: string[] = [];
  const ends: [string, () => void][] = [];
  return {
    begun,
    start: (who) =>
      pass(admission, who, () => {
        begun.push(who);
        return new Promise((resolve) => ends.push([who, () => resolve(who)]));
      }),
    end(who) {
      const at = ends.findIndex(([owner]) => owner === who);
      ends.splice(at, 1)[0]?.[1]();
    },
  };
}

it('one person has no more in progress than the row allows; others are not delayed by that', async () => {
  const { start, begun, end } = createWork(admissionOf({}));
  const all = [start('a'), start('a'), start('a'), start('b')];
  await turn();
  expect(begun).toEqual(['a', 'a', 'b']);
  end('a');
  await turn();
  expect(begun).toEqual(['a', 'a', 'b', 'a']);
  for (const who of ['a', 'a', 'b']) end(who);
  expect(await Promise.all(all)).toEqual(['a', 'a', 'a', 'b']);
});

it('places are given to people in turn', async () => {
  const { start, begun, end } = createWork(admissionOf({ each: 1, total: 1 }));
  const all = ['a', 'a', 'a', 'b', 'c'].map(start);
  for (const [at, expected] of ['a', 'a', 'b', 'c', 'a'].entries()) {
    await turn();
    expect(begun.at(-1)).toBe(expected);
    expect(begun).toHaveLength(at + 1);
    end(expected);
  }
  await Promise.all(all);
});

it('refuses immediately when the queue is full, and says when to retry', async () => {
  const { start, end } = createWork(admissionOf({ each: 1, waiting: 1 }));
  const first = [start('a'), start('a')];
  await expect(start('a')).rejects.toMatchObject({ code: 'rate_limited', details: { retryAfterSeconds: 1 } });
  end('a');
  await turn();
  end('a');
  expect(await Promise.all(first)).toEqual(['a', 'a']);
});

it('beyond the limit per minute it refuses one person and no other', async () => {
  const admission = admissionOf({ perMinute: 2 });
  const ask = (who: string): Promise<string> => pass(admission, who, () => Promise.resolve('done'));
  expect([await ask('a'), await ask('a')]).toEqual(['done', 'done']);
  await expect(ask('a')).rejects.toMatchObject({ code: 'rate_limited' });
  expect(await ask('b')).toBe('done');
});

it('a request that waits too long is refused, and its place goes to the next', async () => {
  vi.useFakeTimers();
  try {
    const { start, begun } = createWork(admissionOf({ each: 1 }));
    void start('a');
    const late = start('a').catch((error: { code?: string }) => error.code);
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    expect(await late).toBe('rate_limited');
    expect(begun).toEqual(['a']);
  } finally {
    vi.useRealTimers();
  }
});

it('work that fails gives its place back', async () => {
  const admission = admissionOf({ each: 1, total: 1, waiting: 0 });
  await expect(pass(admission, 'a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await pass(admission, 'a', () => Promise.resolve(1))).toBe(1);
});

it('never has more in progress than allowed, and lets everyone through whom it did not refuse', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ who: fc.constantFrom('a', 'b', 'c', 'd'), turns: fc.nat(3) }), { maxLength: 30 }),
      async (requests) => {
        const admission = admissionOf({});
        const running = new Map<string, number>();
        let most = 0;
        const outcomes = await Promise.allSettled(
          requests.map(({ who, turns }) =>
            pass(admission, who, async () => {
              running.set(who, (running.get(who) ?? 0) + 1);
              most = Math.max(
                most,
                [...running.values()].reduce((sum, count) => sum + count, 0),
              );
              expect(running.get(who)).toBeLessThanOrEqual(OPEN.each);
              for (let left = turns; left > 0; left--) await turn();
              running.set(who, (running.get(who) ?? 0) - 1);
            }),
          ),
        );
        expect(most).toBeLessThanOrEqual(OPEN.total);
        for (const outcome of outcomes)
          if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'rate_limited' });
        const perPerson = new Map<string, number>();
        for (const { who } of requests) perPerson.set(who, (perPerson.get(who) ?? 0) + 1);
        if ([...perPerson.values()].every((count) => count <= OPEN.waiting))
          expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true);
      },
    ),
    { numRuns: 100 },
  );
});

it.each(ROUTE_COSTS)('the cost %s lets a person through', async (cost) => {
  expect(await createAdmission().serve({ cost }, { userId: 'a' }, get(), () => 'through')).toBe('through');
});

it.each([
  [1, 1],
  [2, 1],
  [3, 1],
  [10, 5],
])('of a pool of %i connections one person has %i at most', (poolMax, each) => {
  expect(placesFor(poolMax).database.each).toBe(each);
});

/** A body of which one piece has arrived and the rest is on its way. */
function sending(piece: Uint8Array<ArrayBuffer>): { request: Request; finish(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(piece);
      await promise;
      controller.close();
    },
  });
  return {
    request: new Request('http://localhost/', { method: 'POST', body, duplex: 'half' }),
    finish: resolve,
  };
}

it('a body that is on its way holds no place', async () => {
  const admission = admissionOf({ each: 1, total: 1, waiting: 0 });
  const stalled = Array.from({ length: 70 }, () => sending(new Uint8Array(5)));
  const waiting = stalled.map(({ request }, at) =>
    admission.serve({ cost: 'database', body: 'oauth' }, { userId: `net-${at}`, stranger: true }, request, (body) =>
      String(body.length),
    ),
  );
  await turn();
  expect(await pass(admission, 'somebody', () => Promise.resolve('served'))).toBe('served');
  for (const { finish } of stalled) finish();
  const outcomes = await Promise.allSettled(waiting);
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
});

it('bytes count as they arrive, per person, and are given back with the request', async () => {
  const admission = createAdmission();
  const piece = (bytes: number) => ({ request: sending(new Uint8Array(bytes)), bytes });
  const ask = (userId: string, request: Request): Promise<unknown> =>
    admission
      .serve({ cost: 'provider', body: 'model' }, { userId }, request, () => 'served')
      .catch((error: { code?: string }) => error.code);
  const full = Array.from({ length: BODY_MEMORY.each / BODIES.model.bytes }, () => piece(BODIES.model.bytes));
  const served = full.map(({ request }) => ask('a', request.request));
  await vi.waitFor(async () => {
    const more = sending(new Uint8Array(1));
    more.finish();
    expect(await ask('a', more.request)).toBe('rate_limited');
  });
  const others = sending(new Uint8Array(BODIES.model.bytes));
  others.finish();
  expect(await ask('b', others.request)).toBe('served');
  for (const { request } of full) request.finish();
  expect(await Promise.all(served)).toEqual(full.map(() => 'served'));
  const again = sending(new Uint8Array(1));
  again.finish();
  expect(await ask('a', again.request)).toBe('served');
});

it('what was announced and never sent counts for nothing', async () => {
  const admission = createAdmission();
  const stalled = Array.from({ length: 100 }, () => sending(new Uint8Array(10)));
  const waiting = stalled.map(({ request }, at) => {
    request.headers.set('content-length', String(BODIES.model.bytes));
    return admission.serve({ cost: 'provider', body: 'model' }, { userId: `p${at % 4}` }, request, () => 'served');
  });
  await turn();
  const small = sending(new Uint8Array(100));
  small.finish();
  const { request } = small;
  expect(await admission.serve({ cost: 'provider', body: 'model' }, { userId: 'p0' }, request, () => 'served')).toBe(
    'served',
  );
  for (const { finish } of stalled) finish();
  await Promise.all(waiting);
});

it('memory for what is read beside a body is the same share', () => {
  const admission = createAdmission();
  const giveBack = admission.hold({ userId: 'a' }, BODY_MEMORY.each);
  expect(() => admission.hold({ userId: 'a' }, 1)).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  giveBack();
  expect(() => admission.hold({ userId: 'a' }, 1)).not.toThrow();
});
