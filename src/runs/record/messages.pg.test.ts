import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase, quiet } from '../../../test/support/database.ts';
import {
  addOrganization,
  addPerson,
  outcome,
  type Person,
  type TestOrganization,
} from '../../../test/support/people.ts';
import type { Database } from '../../store/database.ts';
import type { Engine } from '../delivery/engine.ts';
import { executeRun } from '../delivery/execute-run.ts';
import { findRun } from './find-runs.ts';
import { insertRun } from './insert-run.ts';
import { addMessage, addMessageOnce, hasUnread, listMessages, listUnread, MESSAGE_LIMITS } from './messages.ts';
import { appendRunReceipt } from './move-run.ts';
import type { Run } from './run.ts';

let db: Database;
let owner: Person;
let organization: TestOrganization;
beforeAll(async () => {
  db = await openTestDatabase({ poolMax: 8 });
  owner = await addPerson(db, 'owner');
  organization = await addOrganization(db, owner);
});
afterAll(() => db?.close());

async function queued(): Promise<Run> {
  const { run } = await insertRun(db, {
    organizationId: organization.id,
    workspaceId: organization.defaultId,
    createdBy: owner.id,
    actor: `user:${owner.id}`,
    kind: 'chat',
    objective: 'do it',
  });
  return run;
}
const move = (run: Run, kind: 'job.started' | 'job.progress' | 'job.completed' | 'job.aborted', seen?: number) =>
  appendRunReceipt(db, run, { kind, actor: 'system:test', body: {}, seen });
const begun = async (): Promise<Run> => (await move(await queued(), 'job.started')) ?? expect.unreachable();
const say = (run: Run, text = 'and this') => addMessage(db, run, { text, createdBy: owner.id });
const reread = async (run: Run): Promise<Run> => (await findRun(db, run.id)) ?? expect.unreachable();

it('numbers what is said to a run, queued or running, and lists it from a number on', async () => {
  const run = await queued();
  expect(await say(run, 'one')).toMatchObject({ number: 1, text: 'one', createdBy: owner.id });
  const running = (await move(run, 'job.started')) ?? expect.unreachable();
  expect(await say(running, 'two')).toMatchObject({ number: 2 });
  expect((await listMessages(db, run.id, 0)).map(({ number, text }) => [number, text])).toEqual([
    [1, 'one'],
    [2, 'two'],
  ]);
  expect((await listMessages(db, run.id, 1)).map(({ text }) => text)).toEqual(['two']);
});

it('does not complete a run before it has read everything, and tells that apart from a head that moved', async () => {
  const run = await begun();
  await say(run, 'one');
  await say(run, 'two');
  expect(await move(run, 'job.completed')).toBeUndefined();
  expect(await hasUnread(db, run)).toBe(true);
  const read = (await move(run, 'job.progress', 1)) ?? expect.unreachable();
  expect((await listUnread(db, run.id, 1_000)).map(({ text }) => text)).toEqual(['two']);
  expect(await hasUnread(db, run)).toBe(false);
  expect(await move(read, 'job.completed')).toBeUndefined();
  // What was read stays read, whatever a later receipt says about it.
  const later = (await move(read, 'job.progress')) ?? expect.unreachable();
  expect(await move(later, 'job.completed', 2)).toMatchObject({ status: 'completed' });
  expect([await listUnread(db, run.id, 1_000), await hasUnread(db, later)]).toEqual([[], false]);
});

it('takes no message for a run that has ended, and one that was aborted first leaves its messages unread', async () => {
  const run = await begun();
  await say(run, 'too late');
  await move(run, 'job.aborted');
  expect(await say(run)).toBeUndefined();
  expect((await listUnread(db, run.id, 1_000)).map(({ text }) => text)).toEqual(['too late']);
});

it('takes a bounded number of messages', async () => {
  const run = await begun();
  const sent = await Promise.all(Array.from({ length: MESSAGE_LIMITS.perRun + 5 }, () => outcome(say(run))));
  expect(sent.filter((one) => one === 'ok')).toHaveLength(MESSAGE_LIMITS.perRun);
  expect(sent.filter((one) => one === 'too_many_messages')).toHaveLength(5);
  expect((await listMessages(db, run.id, 0)).map(({ number }) => number)).toEqual(
    Array.from({ length: MESSAGE_LIMITS.perRun }, (_, at) => at + 1),
  );
});

it('either takes a message or completes the run when both happen at once, never both and never neither', async () => {
  const outcomes = new Set<string>();
  for (let round = 0; round < 60; round++) {
    const run = await begun();
    const first = () => say(run);
    const second = () => move(run, 'job.completed');
    const [message, completed] =
      round % 2 === 0 ? await Promise.all([first(), second()]) : (await Promise.all([second(), first()])).toReversed();
    const { status } = await reread(run);
    expect([message === undefined, completed === undefined]).toEqual(
      status === 'completed' ? [true, false] : [false, true],
    );
    expect(await listUnread(db, run.id, 1_000)).toHaveLength(status === 'completed' ? 0 : 1);
    outcomes.add(status);
  }
  expect(outcomes).toEqual(new Set(['completed', 'running']));
});

it('waits for a message that is being written, in a transaction that began first', async () => {
  const run = await begun();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: written, resolve: onWritten } = Promise.withResolvers<void>();
  const writing = db.transaction(async (tx) => {
    await addMessage(tx, run, { text: 'wait', createdBy: owner.id });
    onWritten();
    await held;
  });
  await written;
  const completing = move(run, 'job.completed');
  // The completion is waiting for the row before the message is committed.
  await expect
    .poll(async () => (await db.query("select 1 from pg_stat_activity where wait_event_type = 'Lock'")).rowCount)
    .toBeGreaterThan(0);
  release();
  await writing;
  expect(await completing).toBeUndefined();
  expect(await hasUnread(db, run)).toBe(true);
});

it('goes on with the same attempt when something was said as the run was about to complete', async () => {
  const run = await queued();
  let calls = 0;
  const engine: Engine = async ({ run: { id, attempt }, progress }) => {
    calls++;
    if (calls === 1) await say(run, 'one more thing');
    else
      for (const { number, id: message } of await listUnread(db, id, 1_000))
        await progress({ type: 'message', message, number });
    return { calls, attempt };
  };
  const deps = {
    db,
    log: quiet,
    actor: 'system:test',
    engineOf: () => engine,
    artifactsDirectory: '/nowhere',
    onAppended: () => {},
  };
  expect(await executeRun(deps, run.id, { taken: new AbortController() })).toEqual({ status: 'completed' });
  expect(await reread(run)).toMatchObject({ attempt: 1, result: { calls: 2, attempt: 1 } });
});

it('says nothing twice under one key, however many requests come at once, and whether or not it was read or the run has ended', async () => {
  const run = await begun();
  const again = (text = 'once', createdBy = owner.id) => addMessageOnce(db, run, { text, createdBy, key: 'k' });
  const said = await Promise.all(Array.from({ length: 5 }, () => again()));
  expect(new Set(said.map((message) => message?.id)).size).toBe(1);
  expect(await listMessages(db, run.id, 0)).toHaveLength(1);
  expect(await again()).toMatchObject({ number: 1, read: false });
  expect(await outcome(again('something else'))).toBe('idempotency_conflict');
  // A key is the person's own.
  expect(await again('something else', 'usr_other')).toMatchObject({ number: 2 });

  const read = (await move(run, 'job.progress', 2)) ?? expect.unreachable();
  expect(await again()).toMatchObject({ number: 1, read: true });
  await move(read, 'job.completed');
  expect(await again()).toMatchObject({ number: 1, read: true });
  expect(await addMessageOnce(db, run, { text: 'too late', createdBy: owner.id, key: 'another' })).toBeUndefined();
  expect(await listMessages(db, run.id, 0)).toHaveLength(2);
});
