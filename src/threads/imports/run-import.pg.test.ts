import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestDatabase, quiet } from '../../../test/support/database.ts';
import {
  CHATGPT,
  chatGptZip,
  CLAUDE,
  claudeZip,
  LIBRECHAT,
  LIBRECHAT_TREE,
  zip,
} from '../../../test/support/imports/export-samples.ts';
import { addOrganization, addPerson } from '../../../test/support/people.ts';
import { IMPORT_LIMITS } from '../../contract/imports/import-words.ts';
import type { ChatImport, ImportItem } from '../../contract/imports/imports.ts';
import { countStorage } from '../../enforcement/storage.ts';
import type { Database } from '../../store/database.ts';
import { listMessages } from '../messages.ts';
import { searchMessages } from '../search-messages.ts';
import { getThread, listThreads, removeThread } from '../threads.ts';
import { findVersions } from '../versions.ts';
import { listItems } from './import-items.ts';
import { cancelImport, createImport, dropStale, getImport, putPart, startImport } from './imports.ts';
import { runImport, takeImport } from './run-import.ts';

let db: Database;
let userId: string;
let organizationId: string;
let workspaceId: string;
beforeAll(async () => {
  db = await openTestDatabase({ poolMax: 4 });
});
afterAll(() => db.close());
beforeEach(async () => {
  const person = await addPerson(db);
  const organization = await addOrganization(db, person);
  userId = person.id;
  organizationId = organization.id;
  workspaceId = organization.defaultId;
});

const BOUNDS = { importMib: 64, storageBytes: 100 * 1024 * 1024 };
const never = new AbortController().signal;

async function upload(content: Buffer | string, name = 'export.zip', withProjects = true): Promise<string> {
  const bytes = Buffer.from(content);
  const place = { userId, organizationId, workspaceId, workspacePicked: true, withProjects };
  const { id } = await createImport(db, { ...place, name, size: bytes.length }, BOUNDS);
  for (let position = 0; position * IMPORT_LIMITS.partBytes < bytes.length; position++) {
    const from = position * IMPORT_LIMITS.partBytes;
    const part = bytes.subarray(from, from + IMPORT_LIMITS.partBytes);
    await putPart(db, { userId, importId: id, position, content: part }, BOUNDS);
  }
  return id;
}

/** Files of this test only: other tests of the file have ended theirs. */
async function work(signal = never, on: Database = db): Promise<void> {
  const taken = await takeImport(db);
  if (taken) await runImport({ db: on, log: quiet, storageBytes: BOUNDS.storageBytes }, taken, signal);
}

async function bring(
  content: Buffer | string,
  withProjects = true,
): Promise<{ found: ChatImport; items: ImportItem[] }> {
  const id = await upload(content, undefined, withProjects);
  await startImport(db, userId, id);
  await work();
  return {
    found: await getImport(db, userId, id),
    items: await listItems(db, { userId, importId: id, after: -1, limit: 200 }),
  };
}

const threads = () => listThreads(db, { userId, organizationId, show: 'all', limit: 200 });

it('takes a conversation of ChatGPT with its pictures, versions, times and place', async () => {
  const { found, items } = await bring(chatGptZip());
  expect(found).toMatchObject({ state: 'done', source: 'chatgpt', taken: 1, present: 0, leftOut: 0, progress: 1 });
  const [item] = items;
  expect(item).toMatchObject({ outcome: 'taken', title: CHATGPT.title, messages: 4, notes: { settings: 1 } });
  const thread = await getThread(db, userId, item?.thread ?? '');
  expect(thread).toMatchObject({
    title: CHATGPT.title,
    workspacePicked: true,
    archived: true,
    importedFrom: 'chatgpt',
    updatedAt: '2023-11-14T22:28:20.250Z',
  });
  expect(thread.project).toBeDefined();
  const messages = await listMessages(db, thread.id, { limit: 10 });
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
  expect(messages[0]?.parts).toMatchObject([
    { type: 'data-attachment', data: { name: 'notes.txt', type: 'text/plain' } },
    { type: 'data-attachment', data: { name: 'file_0001-0c3e.png', type: 'image/png' } },
    { type: 'text' },
  ]);
  expect([...(await findVersions(db, thread.id, messages)).values()]).toMatchObject([{ count: 2, index: 1 }]);
  const search = { userId, organizationId, text: 'Lisbon', limit: 10 };
  expect(JSON.stringify(await searchMessages(db, search))).toContain(thread.id);
});

it('takes nothing twice, and again what was deleted', async () => {
  await bring(chatGptZip());
  const second = await bring(JSON.stringify([CHATGPT, CHATGPT, LIBRECHAT]));
  expect(second.found).toMatchObject({ taken: 1, present: 2 });
  const first = (await threads()).find(({ title }) => title === CHATGPT.title);
  expect(second.items[0]).toMatchObject({ outcome: 'present', thread: first?.id });
  await removeThread(db, userId, first?.id ?? '');
  expect((await bring(JSON.stringify(CHATGPT))).found).toMatchObject({ taken: 1, present: 0 });
});

it('makes the projects of an export, matches them by name, and leaves them if they are not wanted', async () => {
  const { items } = await bring(claudeZip());
  expect(items).toMatchObject([
    { kind: 'project', outcome: 'taken', title: 'Kitchen', notes: { document: 1 } },
    { kind: 'project', outcome: 'left-out', reason: 'example' },
    { kind: 'chat', outcome: 'taken', title: 'Recipe', notes: { 'file-missing': 1 } },
  ]);
  const { rows } = await db.query<{ id: string; instructions: string }>(
    'select id, instructions from :schema.project where workspace_id = $1',
    [workspaceId],
  );
  expect(rows).toMatchObject([{ instructions: 'Metric units.' }]);
  expect((await threads())[0]?.project).toBe(rows[0]?.id);
  expect((await bring(claudeZip())).items[0]).toMatchObject({ outcome: 'present' });
  expect((await bring(claudeZip(), false)).items[0]).toMatchObject({ outcome: 'left-out', reason: 'not-wanted' });
});

it('goes on where a process was killed, and decides each conversation once', async () => {
  const many = Array.from({ length: 6 }, (_, index) => ({
    ...LIBRECHAT,
    conversationId: `c${index}`,
    title: `${index}`,
  }));
  const id = await upload(zip([{ name: 'conversations.json', content: JSON.stringify(many) }]));
  await startImport(db, userId, id);
  // A process that is killed says nothing more to the database: neither what it was doing nor that it stops.
  let commits = 0;
  const dying: Database = {
    ...db,
    transaction: (run) =>
      db.transaction(async (tx) => {
        const result = await run(tx);
        if (++commits > 3) return new Promise<never>((_, reject) => setImmediate(reject, new Error('killed')));
        return result;
      }),
  };
  const first = await takeImport(db);
  expect(first).toBeDefined();
  if (!first) return;
  await runImport({ db: dying, log: quiet, storageBytes: BOUNDS.storageBytes }, first, never);
  expect(await getImport(db, userId, id)).toMatchObject({ state: 'running', taken: 3 });
  expect(await threads()).toHaveLength(3);
  expect(await takeImport(db)).toBeUndefined();
  await db.query("update :schema.chat_import set taken_until = '-infinity' where id = $1", [id]);
  await work();
  expect(await getImport(db, userId, id)).toMatchObject({ state: 'done', taken: 6, present: 0 });
  expect((await threads()).map(({ title }) => title).toSorted()).toEqual(['0', '1', '2', '3', '4', '5']);
  // The first process was only slow, and believes that the import is still its own.
  await runImport({ db, log: quiet, storageBytes: BOUNDS.storageBytes }, first, never);
  expect(await threads()).toHaveLength(6);
  expect(await countStorage(db, organizationId)).toBe(0);
});

it('leaves out a conversation that ends its process again and again', async () => {
  const id = await upload(JSON.stringify([LIBRECHAT, LIBRECHAT_TREE]));
  await startImport(db, userId, id);
  await db.query('update :schema.chat_import set tries = 5 where id = $1', [id]);
  await work();
  expect(await getImport(db, userId, id)).toMatchObject({ state: 'done', taken: 1, leftOut: 1 });
});

it('stops when it is cancelled, keeps what was taken, and gives the storage back', async () => {
  const id = await upload(JSON.stringify([LIBRECHAT, LIBRECHAT_TREE]));
  expect(await countStorage(db, organizationId)).toBeGreaterThan(0);
  await startImport(db, userId, id);
  const taken = await takeImport(db);
  expect(await cancelImport(db, userId, id)).toMatchObject({ state: 'cancelled' });
  if (taken) await runImport({ db, log: quiet, storageBytes: BOUNDS.storageBytes }, taken, never);
  expect(await getImport(db, userId, id)).toMatchObject({ state: 'cancelled', taken: 0 });
  expect(await threads()).toEqual([]);
  expect(await countStorage(db, organizationId)).toBe(0);
  expect(await cancelImport(db, userId, id)).toMatchObject({ state: 'cancelled' });
});

it('says why a file cannot be imported, and what was taken before', async () => {
  expect((await bring('{"a":1}')).found).toMatchObject({
    state: 'failed',
    reason: 'import_format_unknown',
    leftOut: 1,
  });
  expect((await bring('[]')).found).toMatchObject({ state: 'failed', reason: 'import_format_unknown' });
  const cut = JSON.stringify([CLAUDE, LIBRECHAT]).slice(0, -20);
  expect((await bring(cut)).found).toMatchObject({ state: 'failed', reason: 'file_damaged', taken: 1 });
  const hidden = zip([{ name: 'conversations.json', content: '[]', encrypted: true }]);
  expect((await bring(hidden)).found).toMatchObject({ state: 'failed', reason: 'file_encrypted' });
});

it('names a file that only claims to be a picture', async () => {
  const { items } = await bring(
    zip([
      { name: 'conversations.json', content: JSON.stringify([CHATGPT]) },
      { name: 'file_0001-0c3e.png', content: Buffer.from([0, 1, 2, 3]) },
      { name: 'file-Notes-notes.txt', content: 'x' },
    ]),
  );
  expect(items[0]?.notes).toEqual({ settings: 1, 'file-unsupported': 1 });
  const [question] = await listMessages(db, items[0]?.thread ?? '', { limit: 1 });
  expect(JSON.stringify(question)).not.toContain('image/png');
});

it('ends when the person has left the workspace', async () => {
  const id = await upload(JSON.stringify([LIBRECHAT]));
  const { rows } = await db.query<{ id: string }>(
    `insert into :schema.workspace (id, organization_id, slug, name, kind) values ('ws_' || $1, $2, 'left', 'Left', 'named') returning id`,
    [userId, organizationId],
  );
  await db.query('update :schema.chat_import set workspace_id = $2 where id = $1', [id, rows[0]?.id]);
  await startImport(db, userId, id);
  await work();
  expect(await getImport(db, userId, id)).toMatchObject({ state: 'failed', reason: 'workspace_membership_required' });
});

it('refuses a file by its size, a second import, wrong parts, and a start without them', async () => {
  const place = { userId, organizationId, workspaceId, workspacePicked: false, withProjects: true, name: 'a.zip' };
  const large = createImport(db, { ...place, size: 65 * 1024 * 1024 }, BOUNDS);
  await expect(large).rejects.toMatchObject({ code: 'import_too_large' });
  const full = createImport(db, { ...place, size: 10 }, { ...BOUNDS, storageBytes: 5 });
  await expect(full).rejects.toMatchObject({ code: 'storage_full' });
  const { id } = await createImport(db, { ...place, size: 10 }, BOUNDS);
  await expect(createImport(db, { ...place, size: 10 }, BOUNDS)).rejects.toMatchObject({ code: 'import_in_progress' });
  const put = (position: number, length: number, user = userId) =>
    putPart(db, { userId: user, importId: id, position, content: Buffer.alloc(length) }, BOUNDS);
  await expect(put(0, 9)).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(put(1, 1)).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(put(0, 10, 'someone')).rejects.toMatchObject({ code: 'not_found' });
  await expect(startImport(db, userId, id)).rejects.toMatchObject({ code: 'import_incomplete' });
  expect(await put(0, 10)).toMatchObject({ received: 10 });
  expect(await put(0, 10)).toMatchObject({ received: 10 });
  expect(await countStorage(db, organizationId)).toBe(10);
  await db.query("update :schema.chat_import set updated_at = now() - interval '2 days' where id = $1", [id]);
  await dropStale(db);
  expect(await getImport(db, userId, id)).toMatchObject({ state: 'cancelled' });
  expect(await countStorage(db, organizationId)).toBe(0);
  await expect(put(0, 10)).rejects.toMatchObject({ code: 'import_closed' });
});
