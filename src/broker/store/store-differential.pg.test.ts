import { isDeepStrictEqual } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { lookAt } from '../../../test/support/broker/broker-differential.ts';
import { anyRequest, seeded } from '../../../test/support/broker/broker-fuzz.ts';
import { createModel } from '../../../test/support/broker/broker-model.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { apply, type StepOutcome } from '../core/apply.ts';
import { hasChanges } from '../core/draft.ts';
import type { Reading, Taken } from '../core/plan-delivery.ts';
import { loadState } from './load-state.ts';
import { parseRequest } from '../protocol/protocol.ts';
import type { Queryable } from '../../store/database.ts';
import { createKnownOrigins } from './known-origins.ts';
import { readSteps } from './read-steps.ts';
import { isWriteConflict } from '../../timing/database-fault.ts';
import { saveChanges } from './save-changes.ts';

const db = await openTestDatabase();
afterAll(() => db.close());

test('what is loaded for a step is all that the step depends on, and what is saved is all that it changed', async () => {
  const never = Array.from({ length: 1_000 }, () => 0);
  for (let seed = 1; seed <= 25; seed++) {
    await db.query(
      'truncate :schema.broker_origin, :schema.broker_promise, :schema.broker_task, :schema.broker_awaiter, :schema.broker_listener, :schema.broker_unblock',
    );
    const random = seeded(seed);
    const model = createModel(never);
    let now = 1_000;
    for (let n = 0; n < 40; n++) {
      now += Math.floor(random() * 12);
      const request = anyRequest(random, now, lookAt(model));
      const parsed = parseRequest(request);
      if ('refusal' in parsed) throw new Error(String(parsed.refusal.data));
      const loaded = await loadState(db, [parsed.request], now);
      const stored = apply(now, loaded.state, parsed.request, never);
      const { state, revisions } = loaded;
      await saveChanges(db, {
        written: [{ changes: stored.changes, state }],
        revisions,
        now: loaded.now,
        durable: false,
      });
      const { answer, changes } = model.step(now, parsed.request);
      const [ours, whole] = [normal({ answer, changes }), normal(stored)];
      if (!isDeepStrictEqual(ours, whole))
        expect(whole, `seed ${seed} step ${n} ${JSON.stringify(request)}`).toEqual(ours);
    }
  }
  expect((await db.query('select from :schema.broker_task limit 1')).rowCount).toBe(1);
}, 120_000);

test('what is cached of an origin is what is stored of it', async () => {
  const never = Array.from({ length: 1_000 }, () => 0);
  let answeredFromMemory = 0;
  for (let seed = 101; seed <= 125; seed++) {
    await db.query(
      'truncate :schema.broker_origin, :schema.broker_promise, :schema.broker_task, :schema.broker_awaiter, :schema.broker_listener, :schema.broker_unblock',
    );
    const random = seeded(seed);
    const model = createModel(never);
    const known = createKnownOrigins();
    let now = 1_000;
    for (let n = 0; n < 40; n++) {
      now += Math.floor(random() * 12);
      const parsed = parseRequest(anyRequest(random, now, lookAt(model)));
      if ('refusal' in parsed) throw new Error(String(parsed.refusal.data));
      const clock = { fixed: now, now: async () => now, set: () => {} };
      const take = async (trusted: typeof known | undefined): Promise<StepOutcome> => {
        const { taken, loads } = await counting((on) =>
          readSteps({ on, clock, known: trusted, policy: never }, [parsed.request]),
        );
        const [{ outcome, state, revisions }] = taken as [Taken];
        if (!hasChanges(outcome.changes)) return outcome;
        await saveChanges(db, { written: [{ changes: outcome.changes, state }], revisions, now, durable: false });
        if (loads === 0) answeredFromMemory++;
        const [only, ...more] = revisions;
        if (only && more.length === 0) known.written(only.origin, only.revision, outcome.changes);
        else for (const { origin } of revisions) known.forget(origin);
        return outcome;
      };
      const outcome = await take(known).catch((error: unknown) => {
        // It was taken for the first of its origin, and is not.
        if (!isWriteConflict(error)) throw error;
        return take(undefined);
      });
      const { answer, changes } = model.step(now, parsed.request);
      const [ours, whole] = [normal({ answer, changes }), normal(outcome)];
      if (!isDeepStrictEqual(ours, whole))
        expect(whole, `seed ${seed} step ${n} ${JSON.stringify(parsed.request)}`).toEqual(ours);
    }
  }
  expect(answeredFromMemory).toBeGreaterThan(30);
}, 120_000);

/** How many statements a reading took. */
async function counting(read: (on: Queryable) => Promise<Reading>): Promise<Reading & { loads: number }> {
  let loads = 0;
  const reading = await read({
    query(sql, values) {
      loads++;
      return db.query(sql, values);
    },
  });
  return { ...reading, loads };
}

/** Undefined and absent are the same to JSON; the order of a set is nobody's business. */
function normal(value: unknown): unknown {
  const sort = (given: unknown): unknown => {
    if (Array.isArray(given)) return given.map(sort).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    if (typeof given !== 'object' || given === null) return given;
    return Object.fromEntries(
      Object.entries(given)
        .filter(([key]) => key !== 'preload')
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, part]) => [key, sort(part)]),
    );
  };
  return sort(JSON.parse(JSON.stringify(value)));
}
