// Caps under concurrency: several processes admit, settle, die and set caps at once, and at every quiet moment the books
// of each cap agree with the open holds and with the usage that was recorded.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countReads } from '../../test/support/count-reads.ts';
import { openTestDatabase, quiet } from '../../test/support/database.ts';
import type { CapSubject } from '../contract/spend.ts';
import type { Database } from '../store/database.ts';
import { type Admission, type AdmissionRequest, createAdmit, createSettle, type Settlement } from './budget.ts';
import { removeCap, setCap } from './caps.ts';
import { reapHolds } from './holds.ts';

let databases: Database[];
let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
  databases = [db, await openTestDatabase({ schema: db.schema }), await openTestDatabase({ schema: db.schema })];
});
afterAll(() => Promise.all(databases.map((one) => one.close())));

let count = 0;
async function newOrganization(): Promise<string> {
  const id = `org_cap${++count}`;
  await db.query(
    "insert into :schema.organization (id, slug, name, plan, signup_credit_micros) values ($1, $2, 'Test', 'free', 0)",
    [id, `cap-${count}`],
  );
  return id;
}

interface Who {
  readonly user: string;
  readonly workspace: string;
  readonly token: string;
}
const someone: Who = { user: 'usr_a', workspace: 'ws_a', token: 'tok_a' };

const spendOf = ({ workspace, token }: Who): Settlement['spend'] => ({
  workspaceId: workspace,
  tokenId: token,
  surface: '/v1',
  requestId: 'req',
});

async function admitFresh(
  on: Database,
  organizationId: string,
  who: Who,
  over: Partial<AdmissionRequest>,
): Promise<Admission> {
  const admit = admits.get(on) ?? createAdmit(on, { processId: 'proc_test', log: quiet });
  admits.set(on, admit);
  for (;;) {
    const { rows } = await on.query<{ version: number }>(
      'select coalesce((select version from :schema.chat_version where organization_id = $1), 0) as version',
      [organizationId],
    );
    const admission = await admit({
      userId: who.user,
      tokenId: undefined,
      organizationId,
      version: rows[0]?.version ?? 0,
      limit: 0,
      micros: 0,
      seatBudgetMicros: 0,
      creditMicros: 1_000_000,
      spend: spendOf(who),
      ...over,
    });
    if (admission.outcome !== 'stale') return admission;
  }
}
const admits = new Map<Database, ReturnType<typeof createAdmit>>();

const settlement = (organizationId: string, who: Who, holdId: string | undefined, costMicros: number): Settlement => ({
  organizationId,
  userId: who.user,
  spend: spendOf(who),
  holdId,
  costMicros,
  model: 'm',
  provider: 'openai',
  credential: holdId === undefined ? 'own-key' : 'platform',
  inputTokens: 1,
  outputTokens: 1,
  uses: true,
  status: 200,
  firstTokenMs: undefined,
  durationMs: 1,
});

interface CapBooks {
  kind: string;
  subject_id: string;
  limit_micros: number;
  spent: number;
  reserved: number;
  held: number;
  recorded: number;
}

/** Each cap beside the open holds of its subject and the usage recorded for it. */
async function capBooks(organizationId: string): Promise<CapBooks[]> {
  const { rows } = await db.query<CapBooks & Record<string, unknown>>(
    `select c.kind, c.subject_id, c.limit_micros, c.spent, c.reserved,
            (select coalesce(sum(h.seat_micros + h.credit_micros), 0)::bigint from :schema.chat_hold h where h.organization_id = c.organization_id
                and c.subject_id = case c.kind when 'member' then h.user_id when 'workspace' then h.workspace_id else h.token_id end) as held,
            (select coalesce(sum(d.cost_micros), 0)::bigint from :schema.spend_day d where d.organization_id = c.organization_id
                and c.subject_id = case c.kind when 'member' then d.user_id when 'workspace' then d.workspace_id else d.token_id end) as recorded
       from :schema.spend_cap c where c.organization_id = $1 order by c.id`,
    [organizationId],
  );
  return rows;
}

const outcomes = (answers: readonly Admission[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(answers, (a) => a.outcome)].map(([outcome, list]) => [outcome, list.length]));
const processOf = (i: number): Database => databases[i % databases.length] ?? db;

describe('a cap', () => {
  for (const kind of ['member', 'workspace', 'token'] as const)
    it(`with room for 7 requests admits exactly 7 of 60 at once, from three processes: ${kind}`, async () => {
      const organizationId = await newOrganization();
      const id = { member: someone.user, workspace: someone.workspace, token: someone.token }[kind];
      await setCap(db, organizationId, { kind, id }, 0.000_079);
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, i) => admitFresh(processOf(i), organizationId, someone, { micros: 11 })),
      );
      expect(outcomes(answers)).toEqual({ admitted: 7, cap_reached: 53 });
      expect(answers.find(({ outcome }) => outcome === 'cap_reached')).toMatchObject({
        cap: { subject: { kind, id }, limitMicros: 79 },
      });
      expect(await capBooks(organizationId)).toMatchObject([{ reserved: 77, held: 77, spent: 0 }]);
      const { rows } = await db.query('select credit_reserved from :schema.org_budget where organization_id = $1', [
        organizationId,
      ]);
      expect(rows).toEqual([{ credit_reserved: 77 }]);
    });

  it('leaves everyone else alone', async () => {
    const organizationId = await newOrganization();
    await setCap(db, organizationId, { kind: 'member', id: someone.user }, 0);
    expect(await admitFresh(db, organizationId, { ...someone, user: 'usr_b' }, { micros: 5 })).toMatchObject({
      outcome: 'admitted',
    });
    expect(await admitFresh(db, organizationId, someone, { micros: 5 })).toMatchObject({ outcome: 'cap_reached' });
  });

  it('says what is left under the tightest', async () => {
    const organizationId = await newOrganization();
    await setCap(db, organizationId, { kind: 'member', id: someone.user }, 0.001);
    await setCap(db, organizationId, { kind: 'workspace', id: someone.workspace }, 0.000_5);
    expect(await admitFresh(db, organizationId, someone, { micros: 100 })).toMatchObject({ roomMicros: 400 });
  });

  it('refuses requests on own keys once what is settled has reached it, and they reserve nothing', async () => {
    const organizationId = await newOrganization();
    await setCap(db, organizationId, { kind: 'member', id: someone.user }, 0.000_1);
    const ask = (): Promise<Admission> => admitFresh(db, organizationId, someone, { checksCaps: true });
    const settle = createSettle(db, quiet);
    expect(await ask()).toMatchObject({ outcome: 'admitted' });
    await settle(settlement(organizationId, someone, undefined, 99));
    expect(await ask()).toMatchObject({ outcome: 'admitted', roomMicros: 1 });
    await settle(settlement(organizationId, someone, undefined, 50));
    expect(await ask()).toMatchObject({ outcome: 'cap_reached' });
    expect(await capBooks(organizationId)).toMatchObject([{ spent: 149, recorded: 149, reserved: 0 }]);
  });

  it('starts with what was spent and is held, counts from zero in another month, and keeps the holds', async () => {
    const organizationId = await newOrganization();
    const settle = createSettle(db, quiet);
    const first = await admitFresh(db, organizationId, someone, { micros: 30 });
    await settle(settlement(organizationId, someone, first.outcome === 'admitted' ? first.holdId : undefined, 20));
    await admitFresh(db, organizationId, someone, { micros: 40 });
    await setCap(db, organizationId, { kind: 'token', id: someone.token }, 0.000_1);
    expect(await capBooks(organizationId)).toMatchObject([{ spent: 20, reserved: 40 }]);
    await db.query("update :schema.spend_cap set month = month - interval '1 month' where organization_id = $1", [
      organizationId,
    ]);
    expect(await admitFresh(db, organizationId, someone, { micros: 60 })).toMatchObject({ roomMicros: 0 });
    expect(await admitFresh(db, organizationId, someone, { micros: 1 })).toMatchObject({ outcome: 'cap_reached' });
  });

  it('is gone when it is removed, and what was under way settles', async () => {
    const organizationId = await newOrganization();
    const capId = await setCap(db, organizationId, { kind: 'member', id: someone.user }, 0.000_05);
    const held = await admitFresh(db, organizationId, someone, { micros: 50 });
    await removeCap(db, { organizationId } as Parameters<typeof removeCap>[1], capId);
    expect(await admitFresh(db, organizationId, someone, { micros: 50 })).toMatchObject({ outcome: 'admitted' });
    await createSettle(
      db,
      quiet,
    )(settlement(organizationId, someone, held.outcome === 'admitted' ? held.holdId : undefined, 50));
    await setCap(db, organizationId, { kind: 'member', id: someone.user }, 0.000_2);
    expect(await capBooks(organizationId)).toMatchObject([{ spent: 50, reserved: 50, held: 50, recorded: 50 }]);
  });
});

describe('under any interleaving', () => {
  const KINDS = ['member', 'workspace', 'token'] as const;
  const step = fc.record({
    user: fc.nat(1),
    workspace: fc.nat(1),
    token: fc.nat(1),
    micros: fc.integer({ min: 1, max: 60 }),
    used: fc.integer({ min: 0, max: 90 }),
    fate: fc.constantFrom('settle', 'twice', 'die', 'leave', 'own-key', 'cap'),
    kind: fc.constantFrom(...KINDS),
  });
  const whoIn = ({ user, workspace, token }: { user: number; workspace: number; token: number }): Who => ({
    user: `usr_${user}`,
    workspace: `ws_${workspace}`,
    token: `tok_${token}`,
  });
  const subjectOf = (who: Who, kind: CapSubject['kind']): CapSubject => ({
    kind,
    id: { member: who.user, workspace: who.workspace, token: who.token }[kind],
  });

  it('of admissions, settlements, kills, leaves and new caps, no subject passes its cap by a micro-dollar', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
        const organizationId = await newOrganization();
        const settles = databases.map((one) => createSettle(one, quiet));
        const ownKey = new Map<string, number>();
        for (const kind of KINDS)
          await setCap(db, organizationId, subjectOf(whoIn({ user: 0, workspace: 0, token: 0 }), kind), 0.000_3);
        await Promise.all(
          steps.map(async ({ micros, used, fate, kind, ...place }, i) => {
            const who = whoIn(place);
            const settle = settles[i % 3] ?? createSettle(db, quiet);
            if (fate === 'cap') return void (await setCap(processOf(i), organizationId, subjectOf(who, kind), 0.000_3));
            if (fate === 'own-key') {
              await settle(settlement(organizationId, who, undefined, used));
              for (const one of KINDS) {
                const key = JSON.stringify(subjectOf(who, one));
                ownKey.set(key, (ownKey.get(key) ?? 0) + used);
              }
              return;
            }
            const admitted = await admitFresh(processOf(i), organizationId, who, { micros });
            if (admitted.outcome !== 'admitted' || fate === 'die') return;
            const cost = fate === 'leave' ? 1 : used;
            for (let n = 0; n < (fate === 'twice' ? 2 : 1); n++)
              await settle(settlement(organizationId, who, admitted.holdId, cost));
          }),
        );
        const check = async (): Promise<void> => {
          for (const cap of await capBooks(organizationId)) {
            expect([cap.reserved, cap.spent]).toEqual([cap.held, cap.recorded]);
            const own = ownKey.get(JSON.stringify({ kind: cap.kind, id: cap.subject_id })) ?? 0;
            // A cap that was set later may start beyond its limit.
            if (cap.subject_id.endsWith('_0'))
              expect(cap.spent + cap.reserved).toBeLessThanOrEqual(cap.limit_micros + own);
          }
        };
        await check();
        await db.query(
          "update :schema.chat_hold set expires_at = now() - interval '1 second' where organization_id = $1",
          [organizationId],
        );
        while ((await reapHolds(db)) > 0);
        await check();
        const { rows } = await db.query(
          `select (select sum(cost_micros) from :schema.spend_day where organization_id = $1 and credential = 'platform')::bigint is not distinct from (select sum(cost_micros) from :schema.usage_day where organization_id = $1 and credential = 'platform')::bigint as agree,
                  (select coalesce(sum(cost_micros), 0) from :schema.spend_day where organization_id = $1)::bigint = (select coalesce(sum(cost_micros), 0) from :schema.request_log where organization_id = $1)::bigint as logged`,
          [organizationId],
        );
        expect(rows).toEqual([{ agree: true, logged: true }]);
      }),
      { numRuns: 25 },
    );
  });
});

describe('a request of an organization with many caps', () => {
  it('reads its own caps only, alone and in a batch', async () => {
    const one = await openTestDatabase({ poolMax: 1, schema: db.schema });
    const organizationId = await newOrganization();
    await setCap(one, organizationId, { kind: 'member', id: someone.user }, 100);
    await one.query(
      `insert into :schema.spend_cap (id, organization_id, kind, subject_id, limit_micros, month)
       select 'cap_many' || n, $1, 'member', 'usr_many' || n, 1, now() from generate_series(1, 3000) n`,
      [organizationId],
    );
    await one.query('analyze :schema.spend_cap');
    const counted = countReads(one, 'spend_cap');
    for (const requests of [1, 10])
      for (let again = 0; again < 8; again++) {
        const admitted = await Promise.all(
          Array.from({ length: requests }, () => admitFresh(counted, organizationId, someone, { micros: 1_000 })),
        );
        expect(admitted.map(({ outcome }) => outcome)).toEqual(admitted.map(() => 'admitted'));
        expect(counted.rowsRead()).toBeLessThan(10 + 10 * requests);
        const settle = createSettle(counted, quiet);
        const settled = admitted.map((admission) =>
          settle({
            organizationId,
            userId: someone.user,
            spend: spendOf(someone),
            holdId: admission.outcome === 'admitted' ? admission.holdId : undefined,
            costMicros: 500,
            model: 'm',
            provider: 'openai',
            credential: 'platform',
            inputTokens: 1,
            outputTokens: 1,
            uses: true,
            status: 200,
            firstTokenMs: undefined,
            durationMs: 1,
          }),
        );
        await settle.flush();
        await Promise.all(settled);
        expect(counted.rowsRead()).toBeLessThan(10 + 10 * requests);
      }
    await one.close();
  });
});
