import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { countReads } from '../../test/support/count-reads.ts';
import { openTestDatabase } from '../../test/support/database.ts';
import type { SpendBy } from '../contract/spend.ts';
import type { Database } from '../store/database.ts';
import type { Membership } from '../tenancy/members/membership.ts';
import { readMySpend } from './caps.ts';
import { keepSpendRecords, readRequests } from './read-requests.ts';
import { choosePeriod, readSpend, type SpendQuery } from './read-spend.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const DAY_MS = 86_400_000;
const dayAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
const as = (organizationId: string, role: 'owner' | 'member', userId = 'usr_1'): Membership =>
  ({ organizationId, userId, organizationRole: role }) as Membership;

async function spent(organizationId: string, day: string, user: string, micros: number): Promise<void> {
  await db.query(
    `insert into :schema.spend_day values ($1, $2, $3, 'ws_1', '', 'm', 'openai', 'platform', '/v1', 1, 10, 5, $4, 1)`,
    [organizationId, day, user, micros],
  );
}
const ALL: readonly SpendBy[] = ['member', 'workspace', 'token', 'model', 'credential', 'project', 'day'];

it('names what requests on own keys cost: a list price that their provider bills', async () => {
  await db.query(
    `insert into :schema.spend_day values ('org_priced', (now() at time zone 'UTC')::date, 'usr_1', 'ws_1', '', 'm', 'openai', 'own-key', '/v1', 1, 10, 5, 9)`,
  );
  const { rows } = await readSpend(db, as('org_priced', 'owner'), { by: 'credential' });
  expect(rows).toMatchObject([
    { key: 'own-key', name: 'Own key (list price, billed by its provider)', cost: 0.000_009 },
  ]);
});

it('names the model that answered beside the one that was asked for', async () => {
  for (const [served, cost] of [
    ['openai/a', 3],
    ['anthropic/b', 2],
    ['', 1],
  ] as const)
    await db.query(
      `insert into :schema.spend_day (organization_id, day, user_id, workspace_id, token_id, model, provider, credential, surface, requests, input_tokens, output_tokens, cost_micros, served)
       values ('org_served', (now() at time zone 'UTC')::date, 'usr_1', 'ws_1', '', 'service/auto', 'openai', 'platform', '/v1', 1, 10, 5, $2, $1)`,
      [served, cost],
    );
  const first = await readSpend(db, as('org_served', 'owner'), { by: 'model', limit: 1 });
  expect(first.rows).toMatchObject([{ key: 'service/auto', name: 'service/auto', served: 'openai/a' }]);
  const rest = await readSpend(db, as('org_served', 'owner'), { by: 'model', cursor: first.cursor });
  expect(rest.rows.map(({ key, served }) => [key, served])).toEqual([
    ['service/auto', 'anthropic/b'],
    ['service/auto', undefined],
  ]);
});

it('sums what was asked in a project, and names one only to those who see it', async () => {
  const today = dayAgo(0);
  for (const [surface, cost] of [
    ['chat@prj_shared', 4],
    ['embedding@prj_shared', 1],
    ['run@prj_own', 3],
    ['chat@prj_gone', 2],
    ['/v1', 1],
  ] as const)
    await db.query(
      `insert into :schema.spend_day (organization_id, day, user_id, workspace_id, token_id, model, provider, credential, surface, requests, input_tokens, output_tokens, cost_micros)
       values ('org_projects', $1, 'usr_1', 'ws_1', '', 'm', 'openai', 'platform', $2, 1, 10, 5, $3)`,
      [today, surface, cost],
    );
  await db.query(
    "insert into :schema.organization (id, slug, name, plan, signup_credit_micros) values ('org_projects', 'org-projects', 'Org', 'free', 0)",
  );
  await db.query(
    "insert into :schema.workspace (id, organization_id, slug, name, kind) values ('ws_projects', 'org_projects', 'default', 'Default', 'default')",
  );
  for (const [id, sharing] of [
    ['prj_shared', 'use'],
    ['prj_own', 'private'],
  ])
    await db.query(
      `insert into :schema.project (id, organization_id, workspace_id, name, created_by, sharing) values ($1, 'org_projects', 'ws_projects', $1, 'usr_1', $2)`,
      [id, sharing],
    );
  const names = async (userId: string): Promise<unknown> =>
    (await readSpend(db, as('org_projects', 'owner', userId), { by: 'project' })).rows.map(
      ({ key, name, requests }) => [key, name, requests],
    );
  expect(await names('usr_1')).toEqual([
    ['prj_shared', 'prj_shared', 2],
    ['prj_own', 'prj_own', 1],
    ['prj_gone', 'Private or deleted project', 1],
    ['', 'No project', 1],
  ]);
  expect(await names('usr_2')).toContainEqual(['prj_own', 'Private or deleted project', 1]);
});

describe('the month', () => {
  afterEach(() => vi.useRealTimers());

  it('is that of the database, which dates the charges, whatever this process thinks', async () => {
    const { rows } = await db.query<{ today: string }>("select (now() at time zone 'UTC')::date::text as today");
    const today = rows[0]?.today ?? '';
    await spent('org_clock', today, 'usr_1', 700);
    vi.useFakeTimers({ now: Date.now() + 40 * DAY_MS, toFake: ['Date'] });
    for (const by of ALL)
      expect(await readSpend(db, as('org_clock', 'owner'), { by })).toMatchObject({
        from: `${today.slice(0, 7)}-01`,
        to: today,
        total: 0.0007,
      });
    expect(await readMySpend(db, as('org_clock', 'member'))).toMatchObject({ month: today.slice(0, 7), cost: 0.0007 });
  });
});

describe('the sums of a period', () => {
  it('are the same before and after days are added to their months, and once their rows are gone', async () => {
    const org = 'org_rolled';
    const from = dayAgo(200);
    await db.query('update :schema.spend_rolled set through = $1::date - 1', [from]);
    for (let days = 0; days <= 200; days += 5)
      for (const user of ['usr_1', 'usr_2']) await spent(org, dayAgo(days), user, 100 + days);
    const read = async (range: Partial<SpendQuery>): Promise<number[]> =>
      Promise.all(
        ALL.map(async (by) => {
          const { total, totals } = await readSpend(db, as(org, 'owner'), { by, ...range });
          expect(totals.unpriced).toBe(totals.requests);
          return Math.round(total * 1e6);
        }),
      );
    const ranges = [{}, { from: dayAgo(40), to: dayAgo(3) }, { from: dayAgo(75) }];
    const before = await Promise.all(ranges.map(read));
    for (const sums of before) expect(new Set(sums).size).toBe(1);
    await keepSpendRecords(db, 93);
    expect(await Promise.all(ranges.map(read))).toEqual(before);
    const { rows } = await db.query<{ oldest: string }>('select min(day)::text as oldest from :schema.spend_day');
    expect(rows[0]?.oldest.slice(0, 7)).toBe(dayAgo(93).slice(0, 7));
    await keepSpendRecords(db, 93);
    expect(await Promise.all(ranges.map(read))).toEqual(before);
    const old = await readSpend(db, as(org, 'owner'), { by: 'member', from: dayAgo(180), to: dayAgo(150) });
    expect([old.from.endsWith('-01'), old.from <= dayAgo(180), old.to >= dayAgo(150), old.total > 0]).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it('are split into pages that together have every row once, the most expensive first', async () => {
    const org = 'org_paged';
    for (let i = 0; i < 25; i++) await spent(org, dayAgo(0), `usr_${String(i).padStart(2, '0')}`, 100 + (i % 3));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await readSpend(db, as(org, 'owner'), { by: 'member', limit: 10, cursor });
      seen.push(...page.rows.map(({ key }) => key));
      expect(page.totals.requests).toBe(25);
      ({ cursor } = page);
    } while (cursor !== undefined);
    expect([seen.length, new Set(seen).size]).toEqual([25, 25]);
  });

  it('are only their own for a member', async () => {
    const org = 'org_own';
    await spent(org, dayAgo(0), 'usr_1', 100);
    await spent(org, dayAgo(0), 'usr_2', 700);
    for (const by of ALL) expect((await readSpend(db, as(org, 'member'), { by })).total).toBe(0.0001);
  });
});

describe('a period', () => {
  const now = new Date('2026-11-16T12:00:00Z');
  it('is this month by default, and whole months where only those are kept', () => {
    expect(choosePeriod({}, now)).toEqual({ from: '2026-11-01', to: '2026-11-16' });
    expect(choosePeriod({ from: '2026-02-10', to: '2026-03-10' }, now)).toEqual({
      from: '2026-02-01',
      to: '2026-03-31',
    });
    expect(choosePeriod({ from: '2026-10-10', to: '2026-10-20' }, now)).toEqual({
      from: '2026-10-10',
      to: '2026-10-20',
    });
    expect(() => choosePeriod({ from: '2026-10-10', to: '2026-10-01' }, now)).toThrow('invalid_request');
  });
});

describe('the log of requests', () => {
  it('is a partition per day; old days are dropped and early rows find their partition', async () => {
    const insert = (at: string, id: string): Promise<unknown> =>
      db.query(
        `insert into :schema.request_log values ($2, $1::timestamptz, 'org_log', 'usr_1', 'ws_1', '', '/v1', 'm', 'openai', 'platform', 200, 1, 1, 1, 1, 1)`,
        [at, id],
      );
    await insert(new Date(Date.now() + 20 * DAY_MS).toISOString(), 'early');
    await insert(new Date(Date.now() - 40 * DAY_MS).toISOString(), 'old');
    await insert(new Date().toISOString(), 'now');
    const day = dayAgo(35).replaceAll('-', '');
    await db.query(
      `create table :schema.request_log_${day} partition of :schema.request_log for values from ('${dayAgo(35)} 00:00+00') to ('${dayAgo(34)} 00:00+00')`,
    );
    await keepSpendRecords(db, 93);
    const { rows } = await db.query<{ name: string }>(
      `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = ':schema.request_log'::regclass order by 1`,
    );
    const names = rows.map(({ name }) => name);
    expect(names).toContain(`request_log_${dayAgo(0).replaceAll('-', '')}`);
    expect(names).not.toContain(`request_log_${day}`);
    expect(names).toHaveLength(9);
    const { requests } = await readRequests(db, as('org_log', 'owner'), {});
    expect(requests.map(({ id }) => id)).toEqual(['early', 'now']);
    expect((await readRequests(db, as('org_log', 'member', 'usr_9'), {})).requests).toEqual([]);
    const [first] = (await readRequests(db, as('org_log', 'owner'), { limit: 1 })).requests;
    expect(first?.id).toBe('early');
  });
});

describe('a page of the requests of a large organization', () => {
  it('reads little more than the page, whatever plan is cached', async () => {
    const one = await openTestDatabase({ poolMax: 1 });
    await keepSpendRecords(one, 93);
    await one.query(
      `insert into :schema.request_log (id, at, organization_id, user_id, workspace_id, token_id, surface, model, provider, credential, status, input_tokens, output_tokens, cost_micros, duration_ms)
       select 'req_' || n, now() - n * interval '1 millisecond', case when n % 2 = 0 then 'org_large' else 'org_small' || n end, 'usr_1', 'ws', '', '/v1', 'm', 'openai', 'platform', 200, 1, 1, 1, 1
         from generate_series(1, 20000) n`,
    );
    await one.query('analyze :schema.request_log');
    const counted = countReads(one, 'request_log');
    for (const query of [{ limit: 20 }, { limit: 20, id: 'req_3000' }])
      for (let again = 0; again < 8; again++) {
        const { requests } = await readRequests(counted, as('org_large', 'owner'), query);
        expect(requests[0]?.id).toBe('id' in query ? 'req_3000' : 'req_2');
        expect(counted.rowsRead()).toBeLessThan(50);
      }
    await one.close();
  });
});
