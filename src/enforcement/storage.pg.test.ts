import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import { addOrganization, addPerson, type Person, type TestOrganization } from '../../test/support/people.ts';
import { storeAttachment } from '../documents/attachments/store-attachment.ts';
import type { Database } from '../store/database.ts';
import { createRunStorage, releaseRunStorage, releaseSnapshotStorage } from './storage.ts';

let db: Database;
let person: Person;
let organization: TestOrganization;
beforeAll(async () => {
  db = await openTestDatabase({ poolMax: 6 });
  person = await addPerson(db);
  organization = await addOrganization(db, person);
});
afterAll(() => db.close());

const upload = (bytes: number, storageBytes: number): Promise<unknown> =>
  storeAttachment(
    db,
    {
      userId: person.id,
      organization: organization.id,
      name: 'a.txt',
      content: Buffer.alloc(bytes, 'a'),
      storageBytes,
    },
    new AbortController().signal,
  );
const kept = async (): Promise<number> =>
  (
    await db.query<{ bytes: number }>('select bytes from :schema.org_storage where organization_id = $1', [
      organization.id,
    ])
  ).rows[0]?.bytes ?? 0;

it('is never exceeded, however many uploads run at once, and is released when attachments are deleted', async () => {
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => upload(100, 750)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
  for (const result of results)
    if (result.status === 'rejected')
      expect(result.reason).toMatchObject({ code: 'storage_full', status: 413, details: { limitBytes: 750 } });
  expect(await kept()).toBe(700);
  await db.query(
    'delete from :schema.chat_attachment where id in (select id from :schema.chat_attachment where organization_id = $1 limit 3)',
    [organization.id],
  );
  expect(await kept()).toBe(400);
  await upload(300, 750);
});

it('is shared with the artifacts of runs, which count once however often a run starts', async () => {
  const before = await kept();
  const storage = createRunStorage(db, { id: 'job_1', organizationId: organization.id }, before + 250);
  await storage.begin();
  expect([await storage.take(100), await storage.take(100), await storage.take(100)]).toEqual([true, true, false]);
  await expect(upload(100, before + 250)).rejects.toMatchObject({ code: 'storage_full' });
  await storage.begin();
  expect(await storage.take(150)).toBe(true);
  expect(await kept()).toBe(before + 150);
  await releaseRunStorage(db, 'job_1');
  await releaseRunStorage(db, 'job_1');
  expect(await kept()).toBe(before);
});

it('holds the workspace of a run apart from its artifacts, as large as it is now', async () => {
  const before = await kept();
  const storage = createRunStorage(db, { id: 'job_2', organizationId: organization.id }, before + 250);
  expect([await storage.takeSnapshot(100), await storage.takeSnapshot(140), await storage.take(100)]).toEqual([
    true,
    true,
    true,
  ]);
  await storage.begin();
  expect(await kept()).toBe(before + 140);
  expect([await storage.takeSnapshot(250), await storage.takeSnapshot(251), await kept()]).toEqual([
    true,
    false,
    before,
  ]);
  await storage.takeSnapshot(50);
  await storage.take(60);
  await releaseSnapshotStorage(db, 'job_2');
  expect(await kept()).toBe(before + 60);
  await storage.takeSnapshot(50);
  await releaseRunStorage(db, 'job_2');
  expect(await kept()).toBe(before);
});
