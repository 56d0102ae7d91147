import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestDatabase, quiet } from '../../test/support/database.ts';
import { addOrganization, addPerson, type Person, type TestOrganization } from '../../test/support/people.ts';
import { type Announced, watchAnnounced } from '../../test/support/watch-announced.ts';
import { newId } from '../base/ids.ts';
import { loadConnectors } from '../catalog/load-connectors.ts';
import { loadModels } from '../catalog/load-models.ts';
import { MOST_REFUSALS } from '../contract/standing/standing-runs.ts';
import { SCOPES } from '../contract/tokens.ts';
import type { Database } from '../store/database.ts';
import { findMembership } from '../tenancy/members/find-membership.ts';
import type { Engine } from './delivery/engine.ts';
import { executeRun } from './delivery/execute-run.ts';
import { startRun } from './delivery/start-run.ts';
import { abortRun } from './record/abort-run.ts';
import { findRun } from './record/find-runs.ts';
import type { Run, RunAuthority } from './record/run.ts';
import { beginRun } from './standing/begin-run.ts';
import type { StandingKind, StandingRun } from './standing/standing-run.ts';

let db: Database;
let owner: Person;
let organization: TestOrganization;
let announced: () => Promise<Announced[]>;
const deps = {
  catalog: loadConnectors(),
  models: loadModels(undefined),
  engines: { chat: undefined, control: undefined, codex: undefined },
};
const authority: RunAuthority = { startedWith: 'session', scopes: SCOPES, tokenId: undefined, grantId: undefined };

beforeAll(async () => {
  db = await openTestDatabase({ poolMax: 4 });
});
afterAll(() => db?.close());
beforeEach(async () => {
  owner = await addPerson(db, 'owner');
  organization = await addOrganization(db, owner);
  announced = await watchAnnounced(db, organization.id);
});

async function start(): Promise<Run> {
  const membership = await findMembership(db, { userId: owner.id, organizationId: organization.id });
  if (!membership) throw new Error('the owner is no member');
  return (await startRun({ db, ...deps }, membership, { objective: 'do it', kind: 'chat', authority })).run;
}
const execute = (run: Run, engine: Engine): Promise<unknown> =>
  executeRun(
    {
      db,
      log: quiet,
      actor: 'system:test',
      engineOf: () => engine,
      artifactsDirectory: '/nowhere',
      onAppended: () => {},
    },
    run.id,
    { taken: new AbortController() },
  );
const told = (status: string, run: Run): Announced => ({
  type: `run.${status}`,
  data: { organization: organization.id, workspace: organization.defaultId, job: run.id, status },
});

it('announces the end of a run once, with its id and state, and nothing of what it said', async () => {
  const [completed, failed, aborted] = [await start(), await start(), await start()];
  expect(await announced()).toEqual([]);
  for (let times = 0; times < 2; times++) await execute(completed, async () => ({ said: 'a secret' }));
  expect(await announced()).toEqual([told('completed', completed)]);
  await execute(failed, async () => Promise.reject(new Error('a secret failure')));
  expect(await announced()).toEqual([told('completed', completed), told('failed', failed)]);
  for (let times = 0; times < 2; times++)
    await abortRun(db, (await findRun(db, aborted.id)) ?? expect.unreachable(), 'user:test');
  expect(await announced()).toEqual([told('completed', completed), told('failed', failed), told('aborted', aborted)]);
});

it('announces each of runs that end at once', async () => {
  const runs = await Promise.all(Array.from({ length: 12 }, start));
  await Promise.all(runs.map((run) => execute(run, async () => ({}))));
  const jobs = (await announced()).map(({ data }) => data['job']);
  expect(jobs.toSorted()).toEqual(runs.map(({ id }) => id).toSorted());
});

async function plan(kind: StandingKind, workspaceId = organization.defaultId): Promise<StandingRun> {
  const id = newId(kind === 'schedule' ? 'sch' : 'trg');
  await db.query(
    `insert into :schema.standing_run (id, kind, organization_id, workspace_id, created_by, name, objective, run_kind, scopes, started_with, created_at)
     values ($1, $2, $3, $4, $5, 'nightly', 'do it', 'chat', $6, 'session', now())`,
    [id, kind, organization.id, workspaceId, owner.id, SCOPES],
  );
  return {
    id,
    organizationId: organization.id,
    workspaceId,
    createdBy: owner.id,
    name: 'nightly',
    run: {
      objective: 'do it',
      kind: 'chat',
      model: undefined,
      capabilities: [],
      fundingWorkspaceId: undefined,
      environment: undefined,
      deliver: undefined,
    },
    authority,
    enabled: true,
    paused: undefined,
    refusals: 0,
    lastRun: undefined,
    createdAt: new Date(),
  };
}
const begin = (standing: StandingRun, planned: Partial<StandingRun['run']> = {}) =>
  beginRun(
    {
      db,
      ...deps,
      announcer: { announce: () => {}, flush: async () => {} },
      dispatcher: { dispatch: () => {} },
    },
    { ...standing, run: { ...standing.run, ...planned } },
    { objective: 'do it', idempotencyKey: newId('key') },
  );
const paused = (schedule: StandingRun, reason: string): Announced => ({
  type: 'schedule.paused',
  data: { organization: organization.id, workspace: organization.defaultId, schedule: schedule.id, reason },
});

it('announces once that a schedule is paused because its person lost the right to it, and nothing of a trigger', async () => {
  const [schedule, trigger] = [await plan('schedule'), await plan('trigger')];
  await db.query('delete from :schema.organization_member where organization_id = $1 and user_id = $2', [
    organization.id,
    owner.id,
  ]);
  for (const standing of [schedule, schedule, trigger])
    expect(await begin(standing)).toMatchObject({
      outcome: 'refused',
      code: 'authority_lost',
      paused: 'authority_lost',
    });
  expect(await announced()).toEqual([paused(schedule, 'authority_lost')]);
});

it(`announces once that a schedule is paused after ${MOST_REFUSALS} refusals in a row`, async () => {
  const [schedule, trigger] = [await plan('schedule'), await plan('trigger')];
  for (const standing of [schedule, trigger])
    for (let refusals = 1; refusals <= MOST_REFUSALS + 1; refusals++) {
      expect(await begin(standing, { model: 'none/such' })).toMatchObject({
        outcome: 'refused',
        ...(refusals === MOST_REFUSALS ? { paused: 'refused' } : {}),
      });
      if (refusals < MOST_REFUSALS)
        expect(await announced()).toEqual(standing === schedule ? [] : [paused(schedule, 'refused')]);
    }
  expect(await announced()).toEqual([paused(schedule, 'refused')]);
});
