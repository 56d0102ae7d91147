import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import { addOrganization, addPerson, type Person, type TestOrganization } from '../../../test/support/people.ts';
import type { Database } from '../../store/database.ts';
import { findKeptFiles } from './find-kept-files.ts';
import { insertRun } from './insert-run.ts';
import { appendRunReceipt } from './move-run.ts';
import type { Run } from './run.ts';
import { recordSnapshot, writeSnapshotFile } from './snapshots.ts';

let db: Database;
let owner: Person;
let organization: TestOrganization;
let artifacts: string;
beforeAll(async () => {
  db = await openTestDatabase();
  owner = await addPerson(db, 'owner');
  organization = await addOrganization(db, owner);
  artifacts = await mkdtemp(join(tmpdir(), 'service-kept-'));
});
afterAll(async () => {
  await rm(artifacts, { recursive: true, force: true });
  await db.close();
});

async function start(continues?: Run, workspaceId = organization.defaultId): Promise<Run> {
  const { run } = await insertRun(db, {
    organizationId: organization.id,
    workspaceId,
    createdBy: owner.id,
    actor: `user:${owner.id}`,
    kind: 'chat',
    objective: 'do it',
    continues: continues?.id,
  });
  return run;
}
async function keep(run: Run): Promise<Run> {
  const directory = join(artifacts, run.id);
  const file = await writeSnapshotFile(
    directory,
    (async function* () {
      yield Buffer.from('an archive');
    })(),
  );
  await recordSnapshot(directory, { after: '1:a', writer: 0, files: [file] });
  return run;
}
async function use(run: Run, tool: string): Promise<Run> {
  const actor = 'system:test';
  const begun = await appendRunReceipt(db, run, { kind: 'job.started', actor, body: { attempt: 1 } });
  const body = { attempt: 1, progress: { type: 'tool.started', step: 1, tool, call: 'a' } };
  await appendRunReceipt(db, begun ?? expect.unreachable(), { kind: 'job.progress', actor, body });
  return run;
}
const found = (run: Run): Promise<string | undefined> => findKeptFiles(db, artifacts, run);

it('are those of the run itself, else of the one before that left them as they were', async () => {
  const first = await keep(await start());
  const second = await use(await start(first), 'find-tools');
  const third = await start(second);
  expect([await found(first), await found(second), await found(third)]).toEqual([first.id, first.id, first.id]);
  await keep(second);
  expect(await found(third)).toBe(second.id);
});

it.each(['bash', 'edit'])('are gone when a run changed them and its own are not kept: %s', async (tool) => {
  const second = await use(await start(await keep(await start())), tool);
  expect([await found(second), await found(await start(second))]).toEqual([undefined, undefined]);
});

it('are none where nothing was ever kept, and never those of another workspace', async () => {
  expect(await found(await start())).toBeUndefined();
  expect(await found(await start(await keep(await start(undefined, organization.globalId))))).toBeUndefined();
});
