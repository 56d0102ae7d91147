import { isDeepStrictEqual } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { lookAt } from '../../test/support/broker-differential.ts';
import { anyRequest, seeded } from '../../test/support/broker-fuzz.ts';
import { createModel } from '../../test/support/broker-model.ts';
import { openTestDatabase } from '../../test/support/database.ts';
import { apply } from './apply.ts';
import { loadState } from './load-state.ts';
import { parseAsk } from './protocol.ts';
import { saveChanges } from './save-changes.ts';

const db = await openTestDatabase();
afterAll(() => db.close());

test('what is loaded for a step is all that the step depends on, and what is saved is all that it changed', async () => {
  const never = Array.from({ length: 1_000 }, () => 0);
  for (let seed = 1; seed <= 25; seed++) {
    await db.query('truncate :schema.broker_origin, :schema.broker_promise, :schema.broker_task, :schema.broker_awaiter, :schema.broker_listener, :schema.broker_unblock');
    const random = seeded(seed);
    const model = createModel(never);
    let now = 1_000;
    for (let n = 0; n < 40; n++) {
      now += Math.floor(random() * 12);
      const request = anyRequest(random, now, lookAt(model));
      const parsed = parseAsk(request);
      if ('refusal' in parsed) throw new Error(String(parsed.refusal.data));
      const loaded = await loadState(db, [parsed.ask], now);
      const stored = apply(now, loaded.state, parsed.ask, never);
      await saveChanges(db, [stored.changes], loaded, [], [], false);
      const { answer, changes } = model.step(now, parsed.ask);
      const [ours, whole] = [normal({ answer, changes }), normal(stored)];
      if (!isDeepStrictEqual(ours, whole)) expect(whole, `seed ${seed} step ${n} ${JSON.stringify(request)}`).toEqual(ours);
    }
  }
  expect((await db.query('select from :schema.broker_task limit 1')).rowCount).toBe(1);
}, 120_000);

/** Undefined and absent are the same to JSON; the order of a set is nobody's business. */
function normal(value: unknown): unknown {
  const sort = (given: unknown): unknown => {
    if (Array.isArray(given)) return given.map(sort).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    if (typeof given !== 'object' || given === null) return given;
    return Object.fromEntries(Object.entries(given).filter(([key]) => key !== 'preload').sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, part]) => [key, sort(part)]));
  };
  return sort(JSON.parse(JSON.stringify(value)));
}
