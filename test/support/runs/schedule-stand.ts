// Schedules on a real database, for tests: an organization with an owner and a member who makes them, and a process that
// starts what is due.
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { loadConnectors } from '../../../src/catalog/load-connectors.ts';
import { loadModels } from '../../../src/catalog/load-models.ts';
import { SCOPES, type Scope } from '../../../src/contract/tokens.ts';
import { claimDue } from '../../../src/runs/schedules/claim-due.ts';
import { type FireDeps, fireSchedule } from '../../../src/runs/schedules/fire-schedule.ts';
import { listFirings } from '../../../src/runs/schedules/list-firings.ts';
import { createSchedule, type SaveDeps, type ScheduleWish } from '../../../src/runs/schedules/save-schedule.ts';
import { type Schedule, SCHEDULES } from '../../../src/runs/schedules/schedule.ts';
import { getStanding } from '../../../src/runs/standing/find-standing.ts';
import type { Database, Queryable } from '../../../src/store/database.ts';
import { findMembership } from '../../../src/tenancy/members/find-membership.ts';
import type { Caller } from '../../../src/tenancy/tokens/find-caller.ts';
import { openTestDatabase } from '../database.ts';
import { addOrganization, addPerson, join, type Person, type TestOrganization } from '../people.ts';

export interface ScheduleStand {
  db: Database;
  organization: TestOrganization;
  owner: Person;
  maker: Person;
  /** The maker's. */
  me: Caller;
  /** Runs that were aborted. */
  readonly cancelled: string[];
  callerOf(person: Person, scopes?: readonly Scope[]): Promise<Caller>;
  saving(more?: Partial<SaveDeps['rules']>): SaveDeps;
  firing(on?: Queryable): FireDeps;
  make(wish?: Partial<ScheduleWish>, caller?: Caller): Promise<Schedule>;
  read(id: string, caller?: Caller): Promise<Schedule>;
  /** Moves all its times into the past. */
  shift(id: string, seconds: number): Promise<unknown>;
  /** One process, until nothing is due. */
  process(on?: Database): Promise<void>;
  /** Makes it due, and starts what is due. */
  fire(id: string, seconds?: number): Promise<Schedule>;
  firings(
    id: string,
  ): ReturnType<typeof listFirings> extends Promise<{ firings: infer Firings }> ? Promise<Firings> : never;
  runsOf(id: string): Promise<{ id: string; status: string; idempotency_key: string }[]>;
}

export function useScheduleStand(): ScheduleStand {
  const cancelled: string[] = [];
  const runnable = {
    catalog: loadConnectors(),
    models: loadModels(undefined),
    engines: { chat: true, control: true, codex: true },
    announcer: { announce() {}, flush: async () => {} },
    dispatcher: { dispatch() {}, cancel: ({ id }: { id: string }) => cancelled.push(id) },
  };
  const stand = { cancelled } as unknown as ScheduleStand;
  Object.assign(stand, {
    async callerOf(person, scopes = SCOPES) {
      const organizationId = stand.organization.id;
      return {
        userId: person.id,
        organizationId,
        workspaceId: undefined,
        scopes: new Set(scopes),
        tokenId: undefined,
        expiresAtMs: Date.now() + 60_000,
        membership: await findMembership(stand.db, { userId: person.id, organizationId }),
      };
    },
    saving: (more = {}) => ({ db: stand.db, ...runnable, rules: { perPerson: 1_000, minSeconds: 60, ...more } }),
    firing: (on = stand.db) => ({ ...runnable, db: on }),
    make: (wish = {}, caller = stand.me) =>
      createSchedule(stand.saving(), caller, {
        name: 'Daily',
        run: { objective: 'look at it' },
        overlap: 'skip',
        catchUp: 'one',
        enabled: true,
        ...(wish.cron === undefined && wish.at === undefined ? { every: 3_600 } : {}),
        ...wish,
      }),
    read: async (id, caller = stand.me) => (await getStanding(stand.db, SCHEDULES, caller, { id })).one,
    shift: (id, seconds) =>
      stand.db.query(
        'update :schema.schedule set next_at = next_at - make_interval(secs => $2), anchored_at = anchored_at - make_interval(secs => $2), at = at - make_interval(secs => $2), look_at = next_at - make_interval(secs => $2) where id = $1',
        [id, seconds],
      ),
    async process(on = stand.db) {
      for (;;) {
        const claims = await claimDue(on);
        if (claims.length === 0) return;
        for (const claimed of claims) await fireSchedule(stand.firing(on), claimed);
      }
    },
    async fire(id, seconds = 3_601) {
      await stand.shift(id, seconds);
      await stand.process();
      return stand.read(id);
    },
    firings: async (id) => (await listFirings(stand.db, id, {})).firings,
    runsOf: async (id) =>
      (
        await stand.db.query<{ id: string; status: string; idempotency_key: string }>(
          'select id, status, idempotency_key from :schema.job where started_by = $1 order by id',
          [id],
        )
      ).rows,
  } satisfies Partial<ScheduleStand>);
  beforeAll(async () => {
    stand.db = await openTestDatabase({ poolMax: 8 });
  });
  afterAll(() => stand.db.close());
  beforeEach(async () => {
    // Each test has its own due schedules.
    await stand.db.query("delete from :schema.standing_run where kind = 'schedule'");
    stand.owner = await addPerson(stand.db, 'owner');
    stand.organization = await addOrganization(stand.db, stand.owner);
    stand.maker = await join(stand.db, stand.organization.id, await addPerson(stand.db, 'maker'), 'member');
    stand.me = await stand.callerOf(stand.maker);
  });
  return stand;
}
