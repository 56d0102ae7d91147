// Processes that are killed between any two statements, or whose answers are lost on the way, while they admit and settle.
// Once they are lost and the reaper has run, nothing is held, and all books agree on what was used.
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { countReads } from '../../test/support/count-reads.ts';
import { openTestDatabase, quiet } from '../../test/support/database.ts';
import { newId } from '../base/ids.ts';
import type { Database, Queryable } from '../store/database.ts';
import { recordProcess } from '../store/process-registry.ts';
import { type AdmissionRequest, type Admit, createAdmit, createSettle, type Settlement } from './budget.ts';
import { setCap } from './caps.ts';
import { noteHolds, reapHolds } from './holds.ts';

let db: Database;
let reaper: string;
beforeAll(async () => {
  db = await openTestDatabase({ poolMax: 4 });
});
afterAll(() => db.close());
beforeEach(async () => {
  reaper = await announce();
  await age(reaper, 'present_since');
});

/** Seen for the next hour, however slow the machine is. */
async function announce(): Promise<string> {
  const id = newId('proc');
  await recordProcess(db, { id, role: 'web', host: 'h', pid: 1, version: '1', startedAt: new Date() }, 'running', {});
  await db.query("update :schema.process set seen_at = now() + interval '1 hour' where id = $1", [id]);
  return id;
}

/** Last seen, or seen since, sixteen seconds ago. */
const age = (id: string, column: 'seen_at' | 'present_since'): Promise<unknown> =>
  db.query(`update :schema.process set ${column} = now() - interval '16 seconds' where id = $1`, [id]);

let count = 0;
async function newOrganization(): Promise<string> {
  const id = `org_lost${++count}`;
  await db.query(
    "insert into :schema.organization (id, slug, name, plan, signup_credit_micros) values ($1, $2, 'Test', 'free', 0)",
    [id, `lost-${count}`],
  );
  return id;
}

const CREDIT = 1_000_000;
const USER = 'usr_lost';

function asked(organizationId: string, version: number, requestId: string, own: boolean): AdmissionRequest {
  return {
    userId: USER,
    tokenId: undefined,
    organizationId,
    version,
    limit: 0,
    micros: own ? 0 : 100,
    note: {
      credential: own ? 'own-key' : 'platform',
      leastMicros: 7,
      model: 'm',
      provider: 'openai',
      inputTokens: 2,
    },
    seatBudgetMicros: 150,
    creditMicros: CREDIT,
    ceilingMicros: 1_000_000_000,
    checksCaps: own,
    spend: { workspaceId: 'ws', tokenId: '', surface: '/v1', requestId },
  };
}

function settled(organizationId: string, requestId: string, own: boolean, holdId: string | undefined): Settlement {
  return {
    organizationId,
    userId: USER,
    spend: { workspaceId: 'ws', tokenId: '', surface: '/v1', requestId },
    holdId,
    costMicros: 60,
    model: 'm',
    provider: 'openai',
    credential: own ? 'own-key' : 'platform',
    inputTokens: 2,
    outputTokens: 3,
    uses: true,
    status: 200,
    firstTokenMs: 1,
    durationMs: 2,
  };
}

async function versionOf(organizationId: string): Promise<number> {
  const { rows } = await db.query<{ version: number }>(
    'select coalesce((select version from :schema.chat_version where organization_id = $1), 0) as version',
    [organizationId],
  );
  return rows[0]?.version ?? 0;
}

interface Sums {
  readonly open: number;
  readonly reserved: number;
  readonly cap: readonly number[];
  readonly charged: readonly number[];
  readonly spent: readonly number[];
  readonly requests: readonly number[];
}

/** What every book says of an organization: each list has the same figure from several of them. */
async function sums(organizationId: string): Promise<Sums> {
  const { rows } = await db.query<Sums & Record<string, unknown>>(
    `select (select count(*) from :schema.chat_hold where organization_id = $1)::int as open,
            coalesce((select credit_reserved + seat_reserved from :schema.org_budget where organization_id = $1), 0)::int
              + (select coalesce(sum(reserved), 0) from :schema.platform_month)::int as reserved,
            array[(select c.reserved from :schema.spend_cap c where c.organization_id = $1),
                  (select c.spent from :schema.spend_cap c where c.organization_id = $1) - s.all_cost]::int[] as cap,
            array[coalesce((select credit_spent + seat_spent from :schema.org_budget where organization_id = $1), 0),
                  (select coalesce(sum(cost_micros), 0) from :schema.usage_day where organization_id = $1),
                  s.platform_cost, l.platform_cost]::int[] as charged,
            array[s.all_cost, l.all_cost]::int[] as spent,
            array[(select coalesce(sum(requests), 0) from :schema.usage_day where organization_id = $1), s.requests, l.requests]::int[] as requests
       from (select coalesce(sum(cost_micros), 0) as all_cost, coalesce(sum(cost_micros) filter (where credential = 'platform'), 0) as platform_cost,
                    coalesce(sum(requests), 0) as requests from :schema.spend_day where organization_id = $1) s,
            (select coalesce(sum(cost_micros), 0) as all_cost, coalesce(sum(cost_micros) filter (where credential = 'platform'), 0) as platform_cost,
                    count(*) as requests from :schema.request_log where organization_id = $1) l`,
    [organizationId],
  );
  return rows[0] ?? expect.unreachable();
}

interface Logged extends Record<string, unknown> {
  id: string;
  status: number;
  cost_micros: number | null;
}
const logOf = async (organizationId: string): Promise<Logged[]> =>
  (
    await db.query<Logged>(
      'select id, status, cost_micros from :schema.request_log where organization_id = $1 order by id',
      [organizationId],
    )
  ).rows;

type Accident = 'killed before' | 'killed after' | 'answer lost' | 'never sent';

/** A handle to the database that fails at one of its statements. Of a process that was killed nothing is heard again. */
function failingAt(
  statement: number,
  accident: Accident,
): { db: Database; killed: Promise<void>; underWay: Set<Promise<unknown>> } {
  const NOTHING = new Promise<never>(() => {});
  const { promise: killed, resolve: kill } = Promise.withResolvers<void>();
  const underWay = new Set<Promise<unknown>>();
  let next = 0;
  let dead = false;
  const over = async <T>(work: () => Promise<T>): Promise<T> => {
    const here = next++ === statement;
    if (here && accident === 'killed before') dead = true;
    if (dead) return (kill(), NOTHING);
    if (here && accident === 'never sent') throw new Error('Connection terminated unexpectedly');
    const working = work();
    underWay.add(working.catch(() => {}));
    const result = await working;
    if (here && accident === 'killed after') dead = true;
    if (dead) return (kill(), NOTHING);
    if (here && accident === 'answer lost') throw new Error('Connection terminated unexpectedly');
    return result;
  };
  return {
    killed,
    underWay,
    db: {
      ...db,
      query: (sql, values) => over(() => db.query(sql, values)),
      transaction: (work) => over(() => db.transaction(work)),
    },
  };
}

const request = fc.record({
  own: fc.boolean(),
  end: fc.constantFrom('settled', 'failed', 'released', 'under way'),
  noted: fc.boolean(),
  locked: fc.boolean(),
});
type Request = typeof request extends fc.Arbitrary<infer T> ? T : never;

/** A process that admits these requests and ends each of them, at once or one after the other. */
async function live(
  on: Database,
  processId: string,
  organizationId: string,
  requests: readonly Request[],
  together: boolean,
): Promise<void> {
  const [admit, settle] = [createAdmit(on, { processId, log: quiet }), createSettle(on, quiet)];
  const version = await versionOf(organizationId);
  const one = async ({ own, end, noted, locked }: Request, at: number): Promise<void> => {
    const [id, wanted] = [`req_${at}`, asked(organizationId, version, `req_${at}`, own)];
    const admission = await (locked ? admit.within((_tx, admitOne) => admitOne(wanted)) : admit(wanted)).catch(
      () => undefined,
    );
    if (admission?.outcome !== 'admitted' || admission.holdId === undefined) return;
    const { holdId } = admission;
    if (noted) await noteHolds(on, [{ holdId, costMicros: 30, outputTokens: 1 }]).catch(() => {});
    const settlement = settled(organizationId, id, own, holdId);
    if (end === 'settled') await settle(settlement);
    if (end === 'failed') await settle({ ...settlement, uses: false, costMicros: 0, status: 502 });
    if (end === 'released') admit.release(holdId);
  };
  if (together) await Promise.all(requests.map(one));
  else for (const [at, each] of requests.entries()) await one(each, at);
  await Promise.all([admit.drain(), settle.drain()]);
}

describe('whatever happens to a process, at whichever statement', () => {
  it('nothing stays held once it is lost and the reaper has run, and the books agree', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        fc.nat(9),
        fc.constantFrom<Accident>('killed before', 'killed after', 'answer lost', 'never sent'),
        async (requests, together, statement, accident) => {
          const [organizationId, processId] = [await newOrganization(), await announce()];
          await setCap(db, organizationId, { kind: 'member', id: USER }, 1);
          const handle = failingAt(statement, accident);
          await Promise.race([handle.killed, live(handle.db, processId, organizationId, requests, together)]);
          // The server finishes what had reached it.
          await Promise.all(handle.underWay);
          await age(processId, 'seen_at');
          await reapHolds(db, reaper);

          const { open, reserved, cap, charged, spent, requests: counted } = await sums(organizationId);
          expect({ open, reserved, cap }).toEqual({ open: 0, reserved: 0, cap: [0, 0] });
          expect(new Set(charged).size).toBe(1);
          expect(new Set(spent).size).toBe(1);
          const logged = await logOf(organizationId);
          // What used nothing is in the log only.
          const unused = logged.filter(({ status }) => status === 502).length;
          expect(counted).toEqual([logged.length - unused, logged.length - unused, logged.length]);
          expect(new Set(logged.map(({ id }) => id)).size).toBe(logged.length);
          for (const { id, status, cost_micros } of logged) {
            const { noted } = requests[Number(id.slice(4))] ?? expect.unreachable();
            expect({ 200: [60], 502: [0], 500: noted ? [7, 30] : [7] }[status]).toContain(cost_micros);
          }
        },
      ),
      { numRuns: 80 },
    );
  });
});

describe('a lost process', () => {
  async function admitOne(
    own: boolean,
  ): Promise<{ organizationId: string; processId: string; holdId: string | undefined }> {
    const [organizationId, processId] = [await newOrganization(), await announce()];
    const admission = await createAdmit(db, { processId, log: quiet })(asked(organizationId, 0, 'req', own));
    return {
      organizationId,
      processId,
      holdId: admission.outcome === 'admitted' ? admission.holdId : expect.unreachable(),
    };
  }

  it.each([false, true])('has its requests settled at what is known and logged as failed; own key: %s', async (own) => {
    const { organizationId, processId } = await admitOne(own);
    expect(await logOf(organizationId)).toEqual([]);
    await reapHolds(db, reaper);
    expect((await sums(organizationId)).open).toBe(1);
    await age(processId, 'seen_at');
    await reapHolds(db, reaper);
    expect(await logOf(organizationId)).toEqual([{ id: 'req', status: 500, cost_micros: 7 }]);
    expect(await sums(organizationId)).toMatchObject({ open: 0, reserved: 0, spent: [7, 7] });
  });

  it('leaves the cost of a request unknown if the price was', async () => {
    const [organizationId, processId] = [await newOrganization(), await announce()];
    const { note, ...rest } = asked(organizationId, 0, 'req', true);
    const admit = createAdmit(db, { processId, log: quiet });
    const admission = await admit({ ...rest, note: note && { ...note, leastMicros: null } });
    const holdId = (admission.outcome === 'admitted' && admission.holdId) || expect.unreachable();
    await noteHolds(db, [{ holdId, costMicros: null, outputTokens: 3 }]);
    await age(processId, 'seen_at');
    await reapHolds(db, reaper);
    expect(await logOf(organizationId)).toEqual([{ id: 'req', status: 500, cost_micros: null }]);
    expect(await sums(organizationId)).toMatchObject({ open: 0, spent: [0, 0], requests: [1, 1, 1] });
  });

  it('is one whose row is gone, too', async () => {
    const { organizationId, processId } = await admitOne(false);
    await db.query('delete from :schema.process where id = $1', [processId]);
    await reapHolds(db, reaper);
    expect((await sums(organizationId)).open).toBe(0);
  });

  it('that was only slow settles nothing again, and says so', async () => {
    const { organizationId, processId, holdId } = await admitOne(true);
    await age(processId, 'seen_at');
    await reapHolds(db, reaper);
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const settle = createSettle(db, log);
    await settle(settled(organizationId, 'req', true, holdId));
    // One alone, and two in a statement.
    await Promise.all([1, 2].map(() => settle(settled(organizationId, 'req', true, holdId))));
    expect(await logOf(organizationId)).toEqual([{ id: 'req', status: 500, cost_micros: 7 }]);
    expect(await sums(organizationId)).toMatchObject({ spent: [7, 7], requests: [1, 1, 1] });
    expect(lines.map((line) => (JSON.parse(line) as { holds: string[] }).holds)).toEqual([[holdId], [holdId, holdId]]);
  });

  it('is not told by a process that was not seen all the while itself, as after a restart of the database', async () => {
    const { organizationId, processId } = await admitOne(false);
    await age(processId, 'seen_at');
    const newcomer = await announce();
    for (const judge of [newcomer, 'proc_unknown', '']) await reapHolds(db, judge);
    // Back after a while in which nobody was seen.
    await age(reaper, 'seen_at');
    await reapHolds(db, reaper);
    const identity = { id: reaper, role: 'web', host: 'h', pid: 1, version: '1', startedAt: new Date() };
    await recordProcess(db, identity, 'running', {});
    await reapHolds(db, reaper);
    expect((await sums(organizationId)).open).toBe(1);
    await age(reaper, 'present_since');
    await recordProcess(db, identity, 'running', {});
    await reapHolds(db, reaper);
    expect((await sums(organizationId)).open).toBe(0);
  });

  it('is looked for without reading the holds of others', async () => {
    const one = await openTestDatabase({ poolMax: 1, schema: db.schema });
    const owners = await Promise.all([announce(), announce(), announce()]);
    await one.query(
      `insert into :schema.chat_hold (id, organization_id, seat_month, seat_micros, credit_micros, expires_at, process_id)
       select 'hold_many' || n, 'org_many', now(), 0, 0, now() + interval '1 hour', ($1::text[])[1 + n % 3] from generate_series(1, 3000) n`,
      [owners],
    );
    const counted = countReads(one, 'chat_hold');
    expect(await reapHolds(counted, reaper)).toBe(0);
    expect(counted.rowsRead()).toBeLessThan(20);
    await one.query("delete from :schema.chat_hold where organization_id = 'org_many'");
    await one.close();
  });
});

describe('an admission whose answer is lost', () => {
  /** Hears of a lost connection at the first statement, which goes on at the server. */
  function cutOff(): { on: Database; first: Promise<unknown> } {
    const { promise: first, resolve } = Promise.withResolvers<unknown>();
    let cut = false;
    const query: Queryable['query'] = (sql, values) => {
      const result = db.query(sql, values);
      if (cut) return result as never;
      cut = true;
      resolve(result.catch((error: unknown) => error));
      return Promise.reject(new Error('Connection terminated unexpectedly'));
    };
    return { on: { ...db, query }, first };
  }
  const waiting = async (): Promise<number> => {
    const { rows } = await db.query<{ waiting: number }>(
      "select count(*)::int as waiting from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.query like '%' || $1 || '%'",
      [db.schema],
    );
    return rows[0]?.waiting ?? 0;
  };

  it.each([
    ['the budget', 'select from :schema.org_budget where organization_id = $1 for update'],
    ['a cap', 'select from :schema.spend_cap where organization_id = $1 for update'],
  ])('is released although it is still under way and waits for %s', async (_what, lock) => {
    const [organizationId, processId] = [await newOrganization(), await announce()];
    await setCap(db, organizationId, { kind: 'member', id: USER }, 1);
    await createAdmit(db, { processId, log: quiet })(
      asked(organizationId, await versionOf(organizationId), 'req_0', false),
    );
    const { on, first } = cutOff();
    const admit: Admit = createAdmit(on, { processId, log: quiet });
    const wanted = asked(organizationId, await versionOf(organizationId), 'req_1', false);
    await db.transaction(async (tx) => {
      await tx.query(lock, [organizationId]);
      await expect(admit(wanted)).rejects.toThrow('Connection terminated');
      await admit.drain();
    });
    await first;
    await admit.drain();
    const { rows } = await db.query(
      'select credit_reserved + seat_reserved as reserved from :schema.org_budget where organization_id = $1',
      [organizationId],
    );
    expect(rows).toEqual([{ reserved: 100 }]);
    expect(await logOf(organizationId)).toEqual([]);
    await age(processId, 'seen_at');
    await reapHolds(db, reaper);
    expect(await sums(organizationId)).toMatchObject({ open: 0, reserved: 0, cap: [0, 0], requests: [1, 1, 1] });
  });

  it('is released once it is committed if its hold is written already', async () => {
    const [organizationId, processId] = [await newOrganization(), await announce()];
    const admit = createAdmit(db, { processId, log: quiet });
    await admit.within(async (_tx, admitOne) => {
      const admission = await admitOne(asked(organizationId, 0, 'req', false));
      admit.release((admission.outcome === 'admitted' && admission.holdId) || expect.unreachable());
      await expect.poll(waiting).toBe(1);
    });
    await admit.drain();
    expect(await sums(organizationId)).toMatchObject({ open: 0, reserved: 0, requests: [0, 0, 0] });
  });

  it('takes no other request of its batch with it if the database refuses one of them', async () => {
    const [organizationId, processId] = [await newOrganization(), await announce()];
    const admit = createAdmit(db, { processId, log: quiet });
    const bad = { ...asked(organizationId, 0, 'req_bad', true), userId: 'usr\0' };
    const answers = await Promise.allSettled([
      admit(asked(organizationId, 0, 'req_a', false)),
      admit(bad),
      admit(asked(organizationId, 0, 'req_b', true)),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await sums(organizationId)).open).toBe(2);
    const settle = createSettle(db, quiet);
    const [first, , third] = answers.map((answer) =>
      answer.status === 'fulfilled' && answer.value.outcome === 'admitted' ? answer.value.holdId : undefined,
    );
    const ends = await Promise.allSettled([
      settle(settled(organizationId, 'req_a', false, first)),
      settle({ ...settled(organizationId, 'req_bad', true, undefined), model: 'm\0' }),
      settle(settled(organizationId, 'req_b', true, third)),
    ]);
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await logOf(organizationId)).map(({ id }) => id)).toEqual(['req_a', 'req_b']);
  });
});
