import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import {
  addOrganization,
  addPerson,
  join,
  outcome,
  type Person,
  type TestOrganization,
} from '../../../test/support/people.ts';
import { loadConnectors } from '../../catalog/load-connectors.ts';
import { loadModels } from '../../catalog/load-models.ts';
import { SCOPES, type Scope } from '../../contract/tokens.ts';
import { findContinuing } from '../../runs/reading/find-continuing.ts';
import { abortRun } from '../../runs/record/abort-run.ts';
import { findRun } from '../../runs/record/find-runs.ts';
import { insertRun } from '../../runs/record/insert-run.ts';
import { listUnread } from '../../runs/record/messages.ts';
import type { Run } from '../../runs/record/run.ts';
import type { Database } from '../../store/database.ts';
import { findMembership } from '../../tenancy/members/find-membership.ts';
import type { Caller } from '../../tenancy/tokens/find-caller.ts';
import { sayForCaller, type SayForCallerDeps } from './say-for-caller.ts';
import { startForCaller } from './start-for-caller.ts';

let db: Database;
let organization: TestOrganization;
let owner: Person;
let deps: SayForCallerDeps;
let me: Caller;
let colleague: Caller;
const announced: string[] = [];
const dispatched: string[] = [];

beforeAll(async () => {
  db = await openTestDatabase({ poolMax: 4 });
  owner = await addPerson(db, 'owner');
  organization = await addOrganization(db, owner);
  const other = await join(db, organization.id, await addPerson(db, 'colleague'), 'member');
  deps = {
    db,
    catalog: loadConnectors(),
    models: loadModels(undefined),
    engines: { chat: true, control: true, codex: true },
    announcer: {
      announce: (receipts) => void announced.push(...receipts.map(({ stream }) => stream)),
      flush: async () => {},
    },
    dispatcher: { dispatch: ({ id }) => void dispatched.push(id) },
    artifactsDirectory: await mkdtemp(joinPath(tmpdir(), 'service-say-')),
  };
  me = await callerOf(owner);
  colleague = await callerOf(other);
});
afterAll(async () => {
  await rm(deps.artifactsDirectory, { recursive: true, force: true });
  await db.close();
});

async function callerOf(person: Person, scopes: readonly Scope[] = SCOPES): Promise<Caller> {
  return {
    userId: person.id,
    organizationId: organization.id,
    workspaceId: undefined,
    scopes: new Set(scopes),
    tokenId: undefined,
    expiresAtMs: Date.now() + 60_000,
    membership: await findMembership(db, { userId: person.id, organizationId: organization.id }),
  };
}

const start = (more: Partial<Parameters<typeof startForCaller>[2]> = {}): Promise<Run> =>
  startForCaller(deps, me, { objective: 'do it', ...more });
const say = (run: Run, caller = me, files?: 'required') =>
  sayForCaller(deps, caller, { id: run.id, text: 'more', files });
const end = (run: Run): Promise<unknown> => abortRun(db, run, 'user:test');

it('gives a run that works a message, and those who follow it a notice', async () => {
  const run = await start();
  announced.length = 0;
  expect(await say(run)).toMatchObject({ message: { number: 1, text: 'more', createdBy: owner.id } });
  expect(announced).toEqual([`jobs/${run.id}`]);
  expect(await listUnread(db, run.id, 100)).toHaveLength(1);
});

it('goes on with a run that has ended in a new one, as the earlier one was asked for', async () => {
  const run = await start({ kind: 'codex', model: 'openai/gpt-5-mini', fundingWorkspace: organization.defaultId });
  await end(run);
  dispatched.length = 0;
  const said = await say(run);
  if (!('run' in said)) return expect.unreachable();
  expect(dispatched).toEqual([said.run.id]);
  expect(await findRun(db, said.run.id)).toMatchObject({
    continues: run.id,
    objective: 'more',
    kind: 'codex',
    model: 'openai/gpt-5-mini',
    fundingWorkspaceId: organization.defaultId,
    workspaceId: run.workspaceId,
    status: 'queued',
  });
  expect(await findContinuing(db, run)).toEqual([said.run.id]);
});

it('lets only the person who started a run speak to it while it works; who answers it afterwards acts for themselves', async () => {
  const run = await start();
  expect(await outcome(say(run, colleague))).toBe('workspace_authority_required');
  await end(run);
  const said = await say(run, await callerOf({ id: colleague.userId } as Person, ['jobs:write']));
  if (!('run' in said)) return expect.unreachable();
  expect(said.run).toMatchObject({ createdBy: colleague.userId, authority: { scopes: ['jobs:write'] } });
});

it('is refused for a token that may do less than the run that it speaks to', async () => {
  const run = await start();
  const weak = await callerOf(owner, ['jobs:read', 'jobs:write', 'connect:read']);
  expect(await outcome(say(run, weak))).toBe('insufficient_scope');
  expect(await listUnread(db, run.id, 100)).toEqual([]);
});

it('is unknown to anyone outside of its workspace', async () => {
  const stranger = await addPerson(db, 'stranger');
  await addOrganization(db, stranger);
  expect(await outcome(say(await start(), await callerOf(stranger)))).toBe('not_found');
});

it('is refused for runs that take no messages', async () => {
  const run = await start({ kind: 'control' });
  expect(await outcome(say(run))).toBe('run_takes_no_messages');
  await end(run);
  expect(await outcome(say(run))).toBe('run_takes_no_messages');
  const { run: own } = await insertRun(db, { kind: 'control', task: 'x', objective: 'x', actor: 'system:test' });
  expect(await outcome(say(own))).toBe('not_found');
});

it('answers a request that is repeated under its key as the first one, also when the run has ended in between', async () => {
  const run = await start();
  const again = (text: string, idempotencyKey: string) => sayForCaller(deps, me, { id: run.id, text, idempotencyKey });
  const first = await again('more', 'while it works');
  expect(await again('more', 'while it works')).toEqual(first);
  expect(await listUnread(db, run.id, 100)).toHaveLength(1);
  await end(run);
  expect(await again('more', 'while it works')).toEqual(first);
  expect(await outcome(again('less', 'while it works'))).toBe('idempotency_conflict');

  const later = await again('go on', 'when it has ended');
  if (!('run' in later)) return expect.unreachable();
  expect(await again('go on', 'when it has ended')).toMatchObject({ run: { id: later.run.id } });
  expect(await outcome(again('go elsewhere', 'when it has ended'))).toBe('idempotency_conflict');
  expect(await findContinuing(db, run)).toEqual([later.run.id]);
});

it('goes on without the files unless they are required', async () => {
  const run = await start();
  await end(run);
  expect(await outcome(say(run, me, 'required'))).toBe('snapshot_gone');
  expect(await findContinuing(db, run)).toEqual([]);
  expect(await say(run)).toHaveProperty('run');
});
