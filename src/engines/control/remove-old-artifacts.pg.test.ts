import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import { addOrganization, addPerson } from '../../../test/support/people.ts';
import { createRunStorage, takeFileStorage } from '../../enforcement/storage.ts';
import type { RunAttempt } from '../../runs/delivery/engine.ts';
import { newId } from '../../base/ids.ts';
import { insertRun } from '../../runs/record/insert-run.ts';
import { recordSnapshot, writeSnapshotFile } from '../../runs/record/snapshots.ts';
import type { Database } from '../../store/database.ts';
import type { ControlDeps } from './control-deps.ts';
import { removeOldArtifacts } from './remove-old-artifacts.ts';

let db: Database;
let dataDirectory: string;
let organizationId: string;
beforeAll(async () => {
  db = await openTestDatabase();
  organizationId = (await addOrganization(db, await addPerson(db))).id;
  dataDirectory = await mkdtemp(join(tmpdir(), 'service-retention-'));
});
afterAll(async () => {
  await db.close();
  await rm(dataDirectory, { recursive: true });
});

/** A run with an artifact of 10 bytes and a workspace of 7. */
async function ended(daysAgo: number | undefined): Promise<string> {
  const { run } = await insertRun(db, { kind: 'control', task: 'mail', objective: 'mail', actor: 'system:test' });
  const directory = join(dataDirectory, 'artifacts', run.id);
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'a.txt'), '0123456789');
  const file = await writeSnapshotFile(
    directory,
    (async function* () {
      yield Buffer.from('archive');
    })(),
  );
  await recordSnapshot(directory, { after: 'call_1', writer: 1, files: [file] });
  const storage = createRunStorage(db, { id: run.id, organizationId }, 1_000);
  await storage.take(10);
  await storage.takeSnapshot(7);
  if (daysAgo !== undefined)
    await db.query(
      `update :schema.job set status = 'completed', ended_at = now() - make_interval(days => $2) where id = $1`,
      [run.id, daysAgo],
    );
  return run.id;
}

const remove = (days: Pick<ControlDeps, 'artifactDays' | 'snapshotDays'>): Promise<unknown> =>
  removeOldArtifacts({ db, dataDirectory, ...days } as ControlDeps)({
    signal: new AbortController().signal,
  } as RunAttempt);
const left = (run: string): Promise<string[]> =>
  readdir(join(dataDirectory, 'artifacts', run), { recursive: true }).then(
    (names) => names.filter((name) => /a\.txt|manifest/.test(name)).map((name) => name.replace(/.*\//, '')),
    () => [],
  );
const taken = async (): Promise<number | undefined> =>
  (
    await db.query<{ bytes: number }>('select bytes from :schema.org_storage where organization_id = $1', [
      organizationId,
    ])
  ).rows[0]?.bytes;

it('removes workspaces before artifacts, and neither of a run that works', async () => {
  const runs = [await ended(undefined), await ended(1), await ended(8), await ended(91)];
  expect(await taken()).toBe(4 * 17);
  expect(await remove({ artifactDays: 90, snapshotDays: 7 })).toMatchObject({ kept: 3, removed: 1, snapshots: 1 });
  const both = ['a.txt', 'manifest.json'];
  expect((await Promise.all(runs.map(left))).map((names) => names.toSorted())).toEqual([both, both, ['a.txt'], []]);
  expect(await taken()).toBe(2 * 17 + 10);
  expect(await remove({ artifactDays: 90, snapshotDays: 7 })).toMatchObject({ removed: 0, snapshots: 0 });
  expect(await remove({ artifactDays: 90, snapshotDays: 0 })).toMatchObject({ removed: 0, snapshots: 1 });
  expect((await Promise.all(runs.map(left))).map((names) => names.toSorted())).toEqual([
    both,
    ['a.txt'],
    ['a.txt'],
    [],
  ]);
  // Never longer than the artifacts.
  expect(await remove({ artifactDays: 1, snapshotDays: 30 })).toMatchObject({ kept: 1, removed: 2 });
});

it('removes setups that no environment has now, and gives back what it took', async () => {
  const before = (await taken()) ?? 0;
  const build = newId('bld');
  const directory = join(dataDirectory, 'environments', build);
  await mkdir(directory, { recursive: true });
  const take = (bytes: number): Promise<boolean> =>
    takeFileStorage(db, { id: build, organizationId }, bytes, before + 100);
  expect(await take(101)).toBe(false);
  expect(await take(60)).toBe(true);
  expect(await take(60)).toBe(false);
  expect(await taken()).toBe(before + 60);
  expect(await remove({ artifactDays: 90, snapshotDays: 7 })).toMatchObject({ setups: 1 });
  expect(await taken()).toBe(before);
  expect(await readdir(join(dataDirectory, 'environments'))).toEqual([]);
});
