import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, quiet } from '../../test/support/database.ts';
import type { Database } from '../store/database.ts';
import {
  type Admission,
  type AdmissionRequest,
  type Admit,
  createAdmit,
  createSettle,
  requestRow,
  type Settlement,
  settlementRow,
} from './budget.ts';
import { noteHolds, reapHolds } from './holds.ts';

let databases: Database[];
let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
  databases = [db, await openTestDatabase({ schema: db.schema }), await openTestDatabase({ schema: db.schema })];
});
afterAll(() => Promise.all(databases.map((one) => one.close())));

let count = 0;
async function newOrganization(): Promise<string> {
  const id = `org_${++count}`;
  await db.query(
    "insert into :schema.organization (id, slug, name, plan, signup_credit_micros) values ($1, $2, 'Test', 'free', 0)",
    [id, `test-${count}`],
  );
  return id;
}
const admitOn = (on: Database): Admit => createAdmit(on, { processId: 'proc_test', log: quiet });
const newUser = (): string => `usr_${++count}`;

function request(over: Partial<AdmissionRequest>): AdmissionRequest {
  return {
    userId: newUser(),
    tokenId: undefined,
    organizationId: undefined,
    version: 0,
    limit: 0,
    micros: 0,
    seatBudgetMicros: 0,
    creditMicros: 0,
    ...over,
  };
}

interface Books {
  credit_spent: number;
  credit_reserved: number;
  seat_spent: number;
  seat_reserved: number;
}
async function books(organizationId: string): Promise<Books | undefined> {
  const { rows } = await db.query<Books & Record<string, unknown>>(
    'select credit_spent, credit_reserved, seat_spent, seat_reserved from :schema.org_budget where organization_id = $1',
    [organizationId],
  );
  return rows[0];
}

const settlement = (organizationId: string, holdId: string | undefined, costMicros: number): Settlement => ({
  organizationId,
  holdId,
  costMicros,
  model: 'm',
  provider: 'openai',
  credential: 'platform',
  inputTokens: 1,
  outputTokens: 1,
  userId: 'usr',
  spend: { workspaceId: 'ws', tokenId: '', surface: '/v1', requestId: 'req' },
  uses: true,
  status: 200,
  firstTokenMs: 1,
  durationMs: 2,
});
const outcomes = (answers: Admission[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(answers, (a) => a.outcome)].map(([outcome, list]) => [outcome, list.length]));

describe('the per-user limit', () => {
  it('accepts exactly 30 of 200 concurrent requests, whichever of three processes they reach', async () => {
    const userId = newUser();
    const admits = databases.map(admitOn);
    const answers = await Promise.all(
      Array.from(
        { length: 200 },
        (_, i) => admits[i % 3]?.(request({ userId, limit: 30 })) ?? Promise.reject(new Error('no process')),
      ),
    );
    expect(outcomes(answers)).toEqual({ admitted: 30, rate_limited: 170 });
  });

  it('is a sliding window: a slot is free again 60 seconds after the request that took it', async () => {
    const userId = newUser();
    const admit = admitOn(db);
    for (let i = 0; i < 3; i++) await admit(request({ userId, limit: 3 }));
    await db.query(
      "update :schema.chat_rate_slot set at = at - interval '59 seconds' where user_id = $1 and slot = 0",
      [userId],
    );
    const refused = await admit(request({ userId, limit: 3 }));
    expect(refused).toMatchObject({ outcome: 'rate_limited' });
    expect(refused.outcome === 'rate_limited' && refused.retryAfterMs <= 1000 && refused.retryAfterMs > 0).toBe(true);
    await db.query("update :schema.chat_rate_slot set at = at - interval '1 second' where user_id = $1 and slot = 0", [
      userId,
    ]);
    expect(await admit(request({ userId, limit: 3 }))).toMatchObject({ outcome: 'admitted' });
    expect(await admit(request({ userId, limit: 3 }))).toMatchObject({ outcome: 'rate_limited' });
  });

  it('stays exact when the limit itself is changed', async () => {
    const userId = newUser();
    const admit = admitOn(db);
    const take = async (limit: number, times: number): Promise<Record<string, number>> =>
      outcomes(await Promise.all(Array.from({ length: times }, () => admit(request({ userId, limit })))));
    expect(await take(5, 6)).toEqual({ admitted: 5, rate_limited: 1 });
    expect(await take(8, 5)).toEqual({ admitted: 3, rate_limited: 2 });
    expect(await take(2, 2)).toEqual({ rate_limited: 2 });
  });

  it('is separate for each user and does not affect the budget', async () => {
    const admit = admitOn(db);
    const answers = await Promise.all(Array.from({ length: 50 }, () => admit(request({ limit: 1 }))));
    expect(outcomes(answers)).toEqual({ admitted: 50 });
  });
});

describe('reservation', () => {
  it('never overspends: a budget for 77 admits exactly 77 of 200, from three processes', async () => {
    const organizationId = await newOrganization();
    const admits = databases.map(admitOn);
    const answers = await Promise.all(
      Array.from(
        { length: 200 },
        (_, i) =>
          admits[i % 3]?.(request({ organizationId, micros: 10, creditMicros: 777 })) ??
          Promise.reject(new Error('no process')),
      ),
    );
    expect(outcomes(answers)).toEqual({ admitted: 77, quota_exceeded: 123 });
    expect(await books(organizationId)).toMatchObject({ credit_reserved: 770, credit_spent: 0 });
  });

  it('takes from the seat budget first, then from signup credit', async () => {
    const organizationId = await newOrganization();
    const admit = admitOn(db);
    const first = await admit(request({ organizationId, micros: 100, seatBudgetMicros: 70, creditMicros: 50 }));
    expect(await books(organizationId)).toMatchObject({ seat_reserved: 70, credit_reserved: 30 });
    expect(await admit(request({ organizationId, micros: 21, seatBudgetMicros: 70, creditMicros: 50 }))).toEqual({
      outcome: 'quota_exceeded',
    });
    await createSettle(
      db,
      quiet,
    )(settlement(organizationId, first.outcome === 'admitted' ? first.holdId : undefined, 80));
    expect(await books(organizationId)).toEqual({
      seat_reserved: 0,
      credit_reserved: 0,
      seat_spent: 70,
      credit_spent: 10,
    });
  });

  it('reserves nothing for a request that an override pays', async () => {
    const organizationId = await newOrganization();
    expect(await admitOn(db)(request({ organizationId, micros: 0 }))).toEqual({
      outcome: 'admitted',
      holdId: undefined,
    });
    expect(await books(organizationId)).toBeUndefined();
  });

  it('resets the seat budget each month, and a hold from last month does not affect the new one', async () => {
    const organizationId = await newOrganization();
    const admit = admitOn(db);
    const held = await admit(request({ organizationId, micros: 60, seatBudgetMicros: 60 }));
    await db.query(
      "update :schema.org_budget set seat_month = seat_month - interval '1 month' where organization_id = $1",
      [organizationId],
    );
    await db.query(
      "update :schema.chat_hold set seat_month = seat_month - interval '1 month' where organization_id = $1",
      [organizationId],
    );
    expect(await admit(request({ organizationId, micros: 60, seatBudgetMicros: 60 }))).toMatchObject({
      outcome: 'admitted',
    });
    await createSettle(
      db,
      quiet,
    )(settlement(organizationId, held.outcome === 'admitted' ? held.holdId : undefined, 60));
    expect(await books(organizationId)).toMatchObject({ seat_reserved: 60, seat_spent: 0 });
  });

  it('refuses platform credit without an organization to charge', async () => {
    expect(await admitOn(db)(request({ micros: 10, creditMicros: 1_000 }))).toEqual({ outcome: 'quota_exceeded' });
  });
});

describe('settlement', () => {
  it('charges what was used and never more than was held, once, however often it is sent', async () => {
    const organizationId = await newOrganization();
    const admitted = await admitOn(db)(request({ organizationId, micros: 100, creditMicros: 1_000 }));
    const holdId = admitted.outcome === 'admitted' ? admitted.holdId : undefined;
    const settle = createSettle(db, quiet);
    await Promise.all([
      settle(settlement(organizationId, holdId, 250)),
      settle(settlement(organizationId, holdId, 250)),
    ]);
    expect(await books(organizationId)).toMatchObject({ credit_reserved: 0, credit_spent: 100 });
    const { rows } = await db.query('select requests, cost_micros from :schema.usage_day where organization_id = $1', [
      organizationId,
    ]);
    expect(rows).toEqual([{ requests: 1, cost_micros: 100 }]);
  });

  it('is made up for by the reaper if the process died in between', async () => {
    const organizationId = await newOrganization();
    const admit = admitOn(db);
    await admit(request({ organizationId, micros: 100, creditMicros: 100 }));
    expect(await reapHolds(db)).toBe(0);
    await db.query("update :schema.chat_hold set expires_at = now() - interval '1 second' where organization_id = $1", [
      organizationId,
    ]);
    expect(await reapHolds(db)).toBe(1);
    expect(await books(organizationId)).toMatchObject({ credit_reserved: 0, credit_spent: 0 });
    expect(await admit(request({ organizationId, micros: 100, creditMicros: 100 }))).toMatchObject({
      outcome: 'admitted',
    });
  });

  it('keeps the books straight under any interleaving of reserve, settle, settle again and reap', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            micros: fc.integer({ min: 1, max: 400 }),
            used: fc.integer({ min: 0, max: 600 }),
            fate: fc.constantFrom('settle', 'twice', 'die'),
          }),
          { minLength: 5, maxLength: 40 },
        ),
        async (turns) => {
          const organizationId = await newOrganization();
          const [creditMicros, seatBudgetMicros] = [1_000, 800];
          const admits = databases.map(admitOn);
          const settles = databases.map((one) => createSettle(one, quiet));
          let charged = 0;
          await Promise.all(
            turns.map(async ({ micros, used, fate }, i) => {
              const admitted = await admits[i % 3]?.(
                request({ organizationId, micros, creditMicros, seatBudgetMicros }),
              );
              if (admitted?.outcome !== 'admitted' || fate === 'die') return;
              charged += Math.min(micros, used);
              for (let n = 0; n < (fate === 'twice' ? 2 : 1); n++)
                await settles[(i + n) % 3]?.(settlement(organizationId, admitted.holdId, used));
            }),
          );
          await db.query(
            "update :schema.chat_hold set expires_at = now() - interval '1 second' where organization_id = $1",
            [organizationId],
          );
          while ((await reapHolds(db)) > 0);
          const after = await books(organizationId);
          expect(after).toMatchObject({ credit_reserved: 0, seat_reserved: 0 });
          expect((after?.credit_spent ?? 0) + (after?.seat_spent ?? 0)).toBe(charged);
          expect(after?.credit_spent).toBeLessThanOrEqual(creditMicros);
          expect(after?.seat_spent).toBeLessThanOrEqual(seatBudgetMicros);
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe('what the database is sent', () => {
  it.each([
    ['chat_request', requestRow(request({}), undefined, '')],
    ['chat_settlement', settlementRow(settlement('', undefined, 0))],
  ])('is a row of %s, field by field', async (type, row) => {
    const { rows } = await db.query<{ name: string }>(
      'select attname as name from pg_attribute where attrelid = $1::regclass order by attnum',
      [`${db.schema}.${type}`],
    );
    expect(Object.keys(row)).toEqual(rows.map(({ name }) => name));
  });

  it.each(['a "quoted" \\name\\', "(),{}' \n", 'half \ud83d', ' '])('is the text as it was: %j', async (model) => {
    const organizationId = await newOrganization();
    const note = { credential: 'own-key', leastMicros: 0, model, provider: '', inputTokens: 0 } as const;
    await admitOn(db)(request({ organizationId, note }));
    const { rows } = await db.query('select model, provider from :schema.chat_hold where organization_id = $1', [
      organizationId,
    ]);
    expect(rows).toEqual([{ model: model.toWellFormed(), provider: '' }]);
  });
});

describe('the version of the settings', () => {
  it('makes an admission stale after any change that could decide it, without taking from the limit', async () => {
    const organizationId = await newOrganization();
    const userId = newUser();
    await db.query('insert into :schema.org_policy (organization_id, require_zdr) values ($1, true)', [organizationId]);
    const admit = admitOn(db);
    expect(await admit(request({ organizationId, userId, version: 0, limit: 1 }))).toEqual({ outcome: 'stale' });
    const { rows } = await db.query<{ version: number }>(
      'select version from :schema.chat_version where organization_id = $1',
      [organizationId],
    );
    expect(await admit(request({ organizationId, userId, version: rows[0]?.version ?? 0, limit: 1 }))).toMatchObject({
      outcome: 'admitted',
    });
  });
});

describe('single requests and batches', () => {
  const turn = fc.record({
    user: fc.nat(2),
    micros: fc.integer({ min: 0, max: 300 }),
    limited: fc.boolean(),
    charged: fc.boolean(),
    own: fc.boolean(),
    answered: fc.boolean(),
    stale: fc.nat(5),
    revoked: fc.nat(5),
    used: fc.integer({ min: 0, max: 400 }),
  });
  const OWN_KEY = { credential: 'own-key', leastMicros: 3, model: 'm', provider: 'openai', inputTokens: 1 } as const;
  type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;

  /** The same requests and settlements, either one after the other or all in one statement. */
  async function play(turns: readonly Turn[], together: boolean): Promise<unknown> {
    const organizationId = await newOrganization();
    const users = [newUser(), newUser(), newUser()];
    const revokedToken = `tok_${++count}`;
    await db.query(
      'insert into :schema.connect_token (id, created_at, expires_at, revoked_at) values ($1, now(), now(), now())',
      [revokedToken],
    );
    const [admit, settle] = [admitOn(db), createSettle(db, quiet)];

    const asked = turns.map(({ user, micros, limited, charged, own, stale, revoked }) =>
      request({
        userId: users[user] ?? '',
        limit: limited ? 3 : 0,
        micros: own ? 0 : micros,
        note: own && charged ? OWN_KEY : undefined,
        version: stale === 0 ? 7 : 0,
        tokenId: revoked === 0 ? revokedToken : 'tok_unknown',
        organizationId: charged ? organizationId : undefined,
        seatBudgetMicros: 400,
        creditMicros: 500,
      }),
    );
    const admissions = await callAll(asked, admit, together);
    await callAll(
      turns.flatMap(({ used, own, answered }, at) => {
        const admission = admissions[at];
        if (admission?.outcome !== 'admitted') return [];
        const { credential } = own ? OWN_KEY : { credential: 'platform' as const };
        const settled = { ...settlement(organizationId, admission.holdId, answered ? used : 0), credential };
        return [{ ...settled, uses: answered, status: answered ? 200 : 502 }];
      }),
      settle,
      together,
    );
    const KEPT = {
      usage_day: 'sum(requests)::int, sum(input_tokens)::int, sum(cost_micros)::int',
      spend_day: 'sum(requests)::int, sum(input_tokens)::int, sum(cost_micros)::int as cost',
      request_log: 'status, count(*), sum(cost_micros)::int as cost',
      chat_hold: 'count(*)',
    };
    const kept = Object.entries(KEPT).map(async ([table, figures]) => {
      const by = table === 'request_log' ? 'credential, status' : 'credential';
      const { rows } = await db.query(
        `select credential, ${figures} from :schema.${table} where organization_id = $1 group by ${by} order by ${by}`,
        [organizationId],
      );
      return rows;
    });
    return {
      outcomes: admissions.map(({ outcome }) => outcome),
      books: await books(organizationId),
      kept: await Promise.all(kept),
    };
  }

  async function callAll<In, Out>(
    inputs: readonly In[],
    call: (input: In) => Promise<Out>,
    together: boolean,
  ): Promise<Out[]> {
    if (together) return Promise.all(inputs.map(call));
    const outputs: Out[] = [];
    for (const input of inputs) outputs.push(await call(input));
    return outputs;
  }

  it('are decided and charged the same way', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 2, maxLength: 12 }), async (turns) => {
        expect(await play(turns, true)).toEqual(await play(turns, false));
      }),
      { numRuns: 40 },
    );
  });
});

describe('the ceiling of a month', () => {
  const thisMonth = "date_trunc('month', now() at time zone 'UTC')::date";
  const month = async (): Promise<{ spent: number; reserved: number }> => {
    const { rows } = await db.query<{ spent: number; reserved: number }>(
      `select spent, reserved from :schema.platform_month where month = ${thisMonth}`,
    );
    return rows[0] ?? { spent: 0, reserved: 0 };
  };

  it('counts what was spent before there was one, and is not touched without one', async () => {
    const organizationId = await newOrganization();
    await admitOn(db)(request({ organizationId, micros: 5, creditMicros: 1_000 }));
    const { rows } = await db.query<{ months: number; spent: number }>(
      `select (select count(*)::int from :schema.platform_month) as months, (select coalesce(sum(cost_micros), 0)::bigint from :schema.usage_day where credential = 'platform' and day >= ${thisMonth}) as spent`,
    );
    expect(rows[0]?.months).toBe(0);
    // As a settlement does: it has the budget and goes on to the day's usage while the admission waits for it.
    const first = await db.transaction(async (tx) => {
      await tx.query('select from :schema.org_budget where organization_id = $1 for update', [organizationId]);
      const admission = admitOn(db)(
        request({ organizationId, micros: 5, creditMicros: 1_000, ceilingMicros: 1_000_000_000 }),
      );
      await expect
        .poll(async () => {
          const { rows: waiting } = await tx.query(
            "select from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.query like '%' || $1 || '%'",
            [db.schema],
          );
          return waiting.length;
        })
        .toBe(1);
      await tx.query(
        "insert into :schema.usage_day values ($1, now() at time zone 'UTC', 'm', 'openai', 'platform', 1, 1, 1, 7)",
        [organizationId],
      );
      return { admission };
    });
    expect(await first.admission).toMatchObject({ outcome: 'admitted' });
    expect(await month()).toEqual({ spent: (rows[0]?.spent ?? 0) + 7, reserved: 5 });
  });

  it('is never exceeded: by many organizations, from three processes, one at a time or together', async () => {
    const organizations = await Promise.all(Array.from({ length: 20 }, newOrganization));
    const { spent, reserved } = await month();
    const ceilingMicros = spent + reserved + 10 * 33;
    const admits = databases.map(admitOn);
    const ask = (at: number): Promise<Admission> =>
      admits[at % 3]?.(
        request({ organizationId: organizations[at % 20] ?? '', micros: 10, creditMicros: 10_000, ceilingMicros }),
      ) ?? expect.unreachable();
    const answers = await Promise.all(Array.from({ length: 120 }, (_, at) => ask(at)));
    expect(outcomes(answers)).toEqual({ admitted: 33, ceiling_reached: 87 });
    expect(await ask(0)).toEqual({ outcome: 'ceiling_reached' });
    // What was refused is reserved nowhere; what is settled gives the rest back.
    const { rows } = await db.query<{ held: number }>(
      'select coalesce(sum(credit_reserved), 0)::int as held from :schema.org_budget where organization_id = any($1)',
      [organizations],
    );
    expect(rows[0]?.held).toBe(330);
    const settles = databases.map((one) => createSettle(one, quiet));
    await Promise.all(
      answers.flatMap((answer, at) =>
        answer.outcome === 'admitted'
          ? [settles[at % 3]?.(settlement(organizations[at % 20] ?? '', answer.holdId, 4))]
          : [],
      ),
    );
    expect(await month()).toEqual({ spent: spent + 33 * 4, reserved });
    expect(await ask(1)).toMatchObject({ outcome: 'admitted' });
  });

  it('does not apply if an override pays', async () => {
    expect(await admitOn(db)(request({ micros: 0, ceilingMicros: 0 }))).toMatchObject({ outcome: 'admitted' });
  });
});

describe('a hold that is never settled', () => {
  it('is settled at its input plus the noted output, and counted in usage', async () => {
    const organizationId = await newOrganization();
    const admit = admitOn(db);
    const note = { credential: 'platform', leastMicros: 30, model: 'm', provider: 'openai', inputTokens: 12 } as const;
    const [first] = await Promise.all([
      admit(request({ organizationId, micros: 100, note, creditMicros: 1_000 })),
      admit(request({ organizationId, micros: 100, note, creditMicros: 1_000 })),
    ]);
    await noteHolds(db, [
      { holdId: (first.outcome === 'admitted' && first.holdId) || '', costMicros: 55, outputTokens: 8 },
    ]);
    await db.query("update :schema.chat_hold set expires_at = now() - interval '1 second' where organization_id = $1", [
      organizationId,
    ]);
    while ((await reapHolds(db)) > 0);
    expect(await books(organizationId)).toMatchObject({ credit_reserved: 0, credit_spent: 85 });
    const { rows } = await db.query(
      'select requests, input_tokens, output_tokens, cost_micros from :schema.usage_day where organization_id = $1',
      [organizationId],
    );
    expect(rows).toEqual([{ requests: 2, input_tokens: 24, output_tokens: 8, cost_micros: 85 }]);
  });
});

describe('what an admission waits for', () => {
  it.each([
    ['a reservation is on disk before the provider is called', 10, 'on'],
    ['a place in the rate limit alone is not waited for', 0, 'off'],
  ])('%s', async (_title, micros, waits) => {
    const organizationId = await newOrganization();
    const asked = request({ organizationId, limit: 5, micros, creditMicros: 100 });
    const { admission, setting } = await admitOn(db).within(async (tx, admit) => {
      await tx.query('set local synchronous_commit = on');
      return {
        admission: await admit(asked),
        setting: await tx.query("select current_setting('synchronous_commit') as waits"),
      };
    });
    expect(admission.outcome).toBe('admitted');
    expect(setting.rows).toEqual([{ waits }]);
  });
});
