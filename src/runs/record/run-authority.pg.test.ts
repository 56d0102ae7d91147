import { createSecretKey, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, quiet } from '../../../test/support/database.ts';
import {
  addOrganization,
  addPerson,
  join,
  joinWorkspace,
  outcome,
  type Person,
  type TestOrganization,
} from '../../../test/support/people.ts';
import { systemClock } from '../../base/clock.ts';
import { loadConnectors } from '../../catalog/load-connectors.ts';
import { loadModels } from '../../catalog/load-models.ts';
import { SCOPES, type Scope } from '../../contract/tokens.ts';
import { revokeGrant } from '../../identity/oauth/revoke-grant.ts';
import type { Database, Queryable } from '../../store/database.ts';
import { removeMember } from '../../tenancy/members/change-member.ts';
import { removeWorkspaceMember } from '../../tenancy/workspaces/change-workspace-member.ts';
import { findMembership } from '../../tenancy/members/find-membership.ts';
import { revokeToken } from '../../tenancy/tokens/revoke-token.ts';
import { newTokenId } from '../../tenancy/tokens/token-id.ts';
import { appendRunReceipt } from './move-run.ts';
import { executeRun } from '../delivery/execute-run.ts';
import { findRun } from './find-runs.ts';
import { type Run, streamOf } from './run.ts';
import { replayRun } from './replay-run.ts';
import {
  connectScopes,
  findLostAuthority,
  LOST_AUTHORITY,
  type LostAuthority,
  NO_AUTHORITY,
  readAuthority,
} from './run-authority.ts';
import { startRun } from '../delivery/start-run.ts';
import { type AuthorityWatch, watchAuthority } from '../delivery/watch-authority.ts';

const KEY = createSecretKey(randomBytes(32));
let db: Database;
let owner: Person;
let organization: TestOrganization;
let watch: AuthorityWatch;
const told: string[] = [];
const cancelled: string[] = [];
const deps = {
  catalog: loadConnectors(),
  models: loadModels(undefined),
  engines: { chat: true, control: true, codex: true },
};

beforeAll(async () => {
  db = await openTestDatabase({ poolMax: 8 });
  owner = await addPerson(db, 'owner');
  organization = await addOrganization(db, owner);
  watch = watchAuthority({
    db,
    log: quiet,
    dispatcher: { cancel: ({ id }) => cancelled.push(id) },
    onAppended: (receipts) => told.push(...receipts.map(({ stream }) => stream)),
  });
});
afterAll(async () => {
  await watch?.stop();
  await db?.close();
});

interface Start {
  readonly organizationId?: string;
  readonly workspaceId?: string;
  readonly tokenId?: string;
  readonly scopes?: readonly Scope[];
  readonly mostQueued?: number;
  readonly idempotencyKey?: string;
  /** What the statement runs on. */
  readonly on?: Queryable;
}

async function start(
  person: Person,
  {
    organizationId = organization.id,
    workspaceId,
    tokenId,
    scopes = SCOPES,
    mostQueued,
    idempotencyKey,
    on = db,
  }: Start = {},
): Promise<Run> {
  const membership = await findMembership(db, { userId: person.id, organizationId, workspaceId });
  if (!membership) throw new Error('stands nowhere');
  return (
    await startRun({ db: on, ...deps, mostQueued }, membership, {
      objective: 'do it',
      kind: 'chat',
      idempotencyKey,
      authority: await readAuthority(db, { scopes: new Set(scopes), tokenId }),
    })
  ).run;
}

const addMember = async (): Promise<Person> => join(db, organization.id, await addPerson(db, 'member'), 'member');

async function addWorkspace(person: Person): Promise<string> {
  const id = `wks_${Math.random().toString(36).slice(2)}`;
  await db.query(
    "insert into :schema.workspace (id, organization_id, slug, name, kind) values ($1, $2, $3, 'Named', 'named')",
    [id, organization.id, id.replace('_', '-')],
  );
  await joinWorkspace(db, organization.id, id, person, 'member');
  return id;
}

/** In an organization of their own, which is shut. */
async function shutPlace(
  column: 'deleted_at' | 'disabled_at',
): Promise<{ person: Person; given: Start; lose: () => Promise<unknown> }> {
  const person = await addPerson(db, 'owner');
  const { id: organizationId } = await addOrganization(db, person);
  const lose = () => db.query(`update :schema.organization set ${column} = now() where id = $1`, [organizationId]);
  return { person, given: { organizationId }, lose };
}

const newUnnamed = (person: Person): string => newTokenId(KEY, person.id, false, new Date());

/** With a token of it that was replaced by a newer one since: the grant no longer names it. */
async function addGrant(person: Person): Promise<{ id: string; tokenId: string }> {
  const [id, tokenId] = [`grt_${Math.random().toString(36).slice(2)}`, newUnnamed(person)];
  await db.query(
    "insert into :schema.oauth_grant (id, user_id, client_id, client_name, organization_id, scopes, offline, created_at, used_at) values ($1, $2, 'c', 'Client', $3, '{}', false, now(), now())",
    [id, person.id, organization.id],
  );
  await db.query(
    "insert into :schema.oauth_access_token (token_id, grant_id, expires_at) values ($1, $2, now() + interval '1 hour')",
    [tokenId, id],
  );
  return { id, tokenId };
}

/** The last receipt, and how many are final. */
async function ending(run: Run): Promise<{ body: unknown; actor: unknown; finals: number }> {
  const { receipts } = await replayRun(db, (await findRun(db, run.id)) ?? run);
  const texts = receipts.map(({ text }) => JSON.parse(text) as { kind: string; body: unknown; actor: string });
  return {
    body: texts.at(-1)?.body,
    actor: texts.at(-1)?.actor,
    finals: texts.filter(({ kind }) => /completed|failed|aborted/.test(kind)).length,
  };
}

const begin = async (run: Run): Promise<Run> =>
  (await appendRunReceipt(db, run, { kind: 'job.started', actor: 'system:test', body: { attempt: 1 } })) ??
  expect.unreachable();

/** Each way of losing authority: a run that has it, and what takes it away. */
const WAYS: Readonly<
  Record<LostAuthority, () => Promise<{ person: Person; given: Start; lose: () => Promise<unknown> }>>
> = {
  async token_revoked() {
    const tokenId = `tok_${Math.random().toString(36).slice(2)}`;
    return {
      person: await addMember(),
      given: { tokenId },
      lose: () => revokeToken({ db, clock: systemClock }, tokenId),
    };
  },
  async grant_revoked() {
    const person = await addMember();
    const { id, tokenId } = await addGrant(person);
    return {
      person,
      given: { tokenId },
      lose: () => revokeGrant({ db, clock: systemClock, revokeToken: async () => {} }, id),
    };
  },
  async account_shut() {
    const person = await addMember();
    return {
      person,
      given: {},
      lose: () => db.query('update :schema.identity_user set disabled_at = now() where id = $1', [person.id]),
    };
  },
  organization_deleted: () => shutPlace('deleted_at'),
  organization_paused: () => shutPlace('disabled_at'),
  async membership_removed() {
    const person = await addMember();
    return {
      person,
      given: {},
      lose: () => removeMember(db, { userId: owner.id, organizationId: organization.id }, person.id),
    };
  },
  async workspace_membership_removed() {
    const person = await addMember();
    const workspaceId = await addWorkspace(person);
    return {
      person,
      given: { workspaceId },
      lose: () =>
        removeWorkspaceMember(db, { userId: owner.id, organizationId: organization.id, workspaceId }, person.id),
    };
  },
};

describe('a run whose authority is taken away', () => {
  it.each(Object.keys(WAYS) as LostAuthority[])(
    'is aborted with one final receipt that says why, queued or running: %s',
    async (reason) => {
      const { person, given, lose } = await WAYS[reason]();
      const queued = await start(person, given);
      const running = await begin(await start(person, given));
      const bystander = await start(owner);
      await watch.look();
      expect((await findRun(db, queued.id))?.status).toBe('queued');

      await lose();
      await Promise.all([watch.look(), watch.look()]);
      for (const run of [queued, running]) {
        expect(await findRun(db, run.id)).toMatchObject({
          status: 'aborted',
          error: `${LOST_AUTHORITY[reason]} (${reason})`,
        });
        expect(await ending(run)).toEqual({
          body: { from: run.status, attempt: run.attempt, reason },
          actor: 'system:api',
          finals: 1,
        });
        expect(told.filter((stream) => stream === streamOf(run))).toHaveLength(1);
        expect(cancelled).toContain(run.id);
      }
      expect((await findRun(db, bystander.id))?.status).toBe('queued');
    },
  );

  it.each(Object.keys(WAYS) as LostAuthority[])(
    'is not begun, and what it fails with is not its end: %s',
    async (reason) => {
      const { person, given, lose } = await WAYS[reason]();
      const worker = (engine: () => Promise<never>) => ({
        db,
        log: quiet,
        actor: 'system:worker',
        engineOf: () => engine,
        artifactsDirectory: '/nowhere',
        onAppended: () => {},
      });
      // Nobody watches: the worker finds out by itself.
      await watch.stop();
      const underWay = await start(person, given);
      const waiting = await start(person, given);
      let begun = 0;
      const outcomeOf = (run: Run) =>
        executeRun(
          worker(async () => {
            begun++;
            await lose();
            throw new Error('its token was refused');
          }),
          run.id,
          { taken: new AbortController() },
        );
      expect(await outcomeOf(underWay)).toEqual({ status: 'aborted' });
      expect(await outcomeOf(waiting)).toEqual({ status: 'aborted' });
      expect(begun).toBe(1);
      expect(await ending(underWay)).toMatchObject({ body: { from: 'running', attempt: 1, reason }, finals: 1 });
      expect(await ending(waiting)).toMatchObject({ body: { from: 'queued', attempt: 0, reason }, finals: 1 });
      watch = watchAuthority({
        db,
        log: quiet,
        dispatcher: { cancel: ({ id }) => cancelled.push(id) },
        onAppended: (receipts) => told.push(...receipts.map(({ stream }) => stream)),
      });
    },
  );

  it('has one final receipt when several processes check at once while it works', async () => {
    const tokenId = 'tok_raced';
    const runs = await Promise.all(Array.from({ length: 6 }, async () => begin(await start(owner, { tokenId }))));
    await revokeToken({ db, clock: systemClock }, tokenId);
    const other = watchAuthority({ db, log: quiet, dispatcher: { cancel: () => {} }, onAppended: () => {} });
    await Promise.all([
      watch.look(),
      other.look(),
      ...runs.map((run) => appendRunReceipt(db, run, { kind: 'job.completed', actor: 'system:test', body: {} })),
    ]);
    await other.stop();
    for (const run of runs) expect((await ending(run)).finals).toBe(1);
  });

  it('goes on when its token has only expired, or is unknown here', async () => {
    await db.query(
      "insert into :schema.connect_token (id, user_id, organization_id, name, created_at, expires_at) values ('tok_over', $1, $2, 'over', now() - interval '2 days', now() - interval '1 day')",
      [owner.id, organization.id],
    );
    for (const tokenId of ['tok_over', 'tok_never_seen', undefined]) {
      const run = await start(owner, tokenId === undefined ? {} : { tokenId });
      await watch.look();
      expect(await findLostAuthority(db, run)).toBeUndefined();
      expect((await findRun(db, run.id))?.status).toBe('queued');
    }
  });
});

describe('what a run may do', () => {
  it('is what its token may do: no connect scope, no apps', () => {
    const of = (...scopes: Scope[]) => connectScopes({ authority: { ...NO_AUTHORITY, scopes } });
    expect(of('jobs:read', 'jobs:write', 'chat', 'receipts:read')).toEqual([]);
    expect(of('jobs:write', 'connect:read')).toEqual(['connect:read']);
    expect(of('jobs:write', 'connect:write')).toEqual(['connect:read', 'connect:write']);
  });

  it('is stored with the run and on its chain, with what it was started with', async () => {
    const run = await start(owner, { tokenId: 'tok_named', scopes: ['jobs:write', 'connect:read'] });
    expect(run.authority).toEqual({
      startedWith: 'token',
      scopes: ['connect:read', 'jobs:write'],
      tokenId: 'tok_named',
      grantId: undefined,
    });
    expect((await findRun(db, run.id))?.authority).toEqual(run.authority);
    expect(await ending(run)).toMatchObject({ body: { startedWith: 'token', scopes: ['connect:read', 'jobs:write'] } });
    expect((await start(owner, { tokenId: newUnnamed(owner) })).authority.startedWith).toBe('session');
    const { id: grantId, tokenId } = await addGrant(owner);
    expect((await start(owner, { tokenId })).authority).toMatchObject({ startedWith: 'grant', grantId });
  });

  it('is nothing for a run from before it was stored', async () => {
    const run = await start(owner, { tokenId: 'tok_old' });
    await db.query(
      'update :schema.job set scopes = default, started_with = default, token_id = default, grant_id = default where id = $1',
      [run.id],
    );
    const found = (await findRun(db, run.id)) ?? expect.unreachable();
    expect(connectScopes(found)).toEqual([]);
    expect(await findLostAuthority(db, found)).toBeUndefined();
  });
});

describe('queued runs of one person', () => {
  it('are never more than allowed, however many are started at once and wherever', async () => {
    const [person, other] = [await addMember(), await addMember()];
    // Each on its own, as from as many processes: none is grouped with another.
    const alone = (): Queryable => ({ query: (sql, values) => db.query(sql, values) });
    const tries = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        outcome(
          start(person, { mostQueued: 5, workspaceId: n % 2 === 0 ? 'default' : 'global', on: n < 15 ? alone() : db }),
        ),
      ),
    );
    expect(tries.filter((one) => one === 'ok')).toHaveLength(5);
    expect(tries.filter((one) => one === 'too_many_runs')).toHaveLength(25);
    expect(
      (await db.query("select 1 from :schema.job where created_by = $1 and status = 'queued'", [person.id])).rowCount,
    ).toBe(5);
    expect(await outcome(start(other, { mostQueued: 5 }))).toBe('ok');
  });

  it('make room when one begins or ends, and a repeated request is answered even at the limit', async () => {
    const person = await addMember();
    const first = await start(person, { mostQueued: 1, idempotencyKey: `once-${person.id}` });
    expect(await outcome(start(person, { mostQueued: 1 }))).toBe('too_many_runs');
    expect((await start(person, { mostQueued: 1, idempotencyKey: `once-${person.id}` })).id).toBe(first.id);
    await begin(first);
    expect(await outcome(start(person, { mostQueued: 1 }))).toBe('ok');
    expect(await outcome(start(person, { mostQueued: 1 }))).toBe('too_many_runs');
  });

  it('with the same key count once, even when started at once', async () => {
    const person = await addMember();
    const runs = await Promise.all(
      Array.from({ length: 8 }, () => start(person, { mostQueued: 2, idempotencyKey: `same-${person.id}` })),
    );
    expect(new Set(runs.map(({ id }) => id)).size).toBe(1);
    expect(await outcome(start(person, { mostQueued: 2 }))).toBe('ok');
    expect(await outcome(start(person, { mostQueued: 2 }))).toBe('too_many_runs');
  });
});
