import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
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
import { openKeptCheckout } from '../repository/kept-checkouts.ts';
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

const digestOf = (repository: string): string => createHash('sha256').update(repository).digest('hex').slice(0, 32);

it('removes checkouts that no run used for long, and those of connections that are gone', async () => {
  const before = (await taken()) ?? 0;
  const directory = join(dataDirectory, 'checkouts');
  await db.query(
    `insert into :schema.org_connection_secret (id, organization_id, workspace_id, provider, name, kind, status, ciphertext, iv, auth_tag, key_version)
     select 'con_kept', organization_id, id, 'github', 'default', 'code-host-token', 'valid', 'x', $2, $3, 1 from :schema.workspace where organization_id = $1 limit 1`,
    [organizationId, Buffer.alloc(12), Buffer.alloc(16)],
  );
  const open = (connection: string, repository: string) =>
    openKeptCheckout({ db, directory, storageBytes: before + 100 }, { organizationId, connection, repository });
  const commit = 'c'.repeat(40);
  const kept = open('con_kept', 'acme/app');
  expect(await kept.read()).toBeUndefined();
  await kept.replace('d'.repeat(40), Buffer.alloc(30));
  await kept.replace(commit, Buffer.alloc(20));
  expect(await kept.read()).toEqual({ commit, bytes: Buffer.alloc(20), isOld: false });
  await open('con_kept', 'acme/unused').replace(commit, Buffer.alloc(20));
  await open('con_gone', 'acme/app').replace(commit, Buffer.alloc(20));
  expect(await taken()).toBe(before + 60);
  // What there is no room for takes nothing, and nothing old is kept in its place.
  const large = open('con_kept', 'acme/large');
  await large.replace(commit, Buffer.alloc(20));
  await large.replace(commit, Buffer.alloc(1_000));
  expect(await large.read()).toBeUndefined();
  expect(await taken()).toBe(before + 60);

  const long = new Date(Date.now() - 15 * 86_400_000);
  await utimes(join(directory, `con_kept.${digestOf('acme/unused')}`, `${commit}.pack`), long, long);
  expect(await remove({ artifactDays: 90, snapshotDays: 7 })).toMatchObject({ checkouts: 2 });
  expect(await readdir(directory)).toEqual([`con_kept.${digestOf('acme/app')}`]);
  expect(await taken()).toBe(before + 20);
  expect(await kept.read()).toMatchObject({ commit });
});
