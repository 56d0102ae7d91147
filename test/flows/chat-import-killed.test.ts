// A web process that is killed in the middle of an import of chats: the next one ends it once, and its report is whole.
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openTestDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { LIBRECHAT, zip } from '../support/imports/export-samples.ts';
import { addOrganization, addPerson, addSession, type Person, type TestOrganization } from '../support/people.ts';
import { poll } from '../support/poll.ts';
import { type RuntimeProcess, startRuntime } from '../support/runs/runtime-process.ts';
import type { ChatImport, ImportItem } from '../../src/contract/imports/imports.ts';
import type { Database } from '../../src/store/database.ts';

const TITLES = ['one', 'two', 'three', 'four', 'five', 'six'];
const MESSAGES = 2;
/** Which of them is under way when the process is killed. */
const KILLED_AT = 3;
const FILE = zip([
  {
    name: 'conversations.json',
    content: JSON.stringify(TITLES.map((title) => ({ ...LIBRECHAT, conversationId: `chat-${title}`, title }))),
  },
]);

let db: Database;
let person: Person;
let organization: TestOrganization;
let session: string;
let url: string;
let web: RuntimeProcess;
beforeAll(async () => {
  db = await openTestDatabase({ poolMax: 3 });
  person = await addPerson(db);
  organization = await addOrganization(db, person);
  session = await addSession(db, person);
});
afterAll(async () => {
  await web?.stop('SIGTERM');
  await db.close();
});

async function startWeb(): Promise<void> {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  web = startRuntime(
    {
      SERVICE_UPSTREAM_DB: inject('postgresUrl'),
      SERVICE_DB_SCHEMA: db.schema,
      SERVICE_WEB_PORT: String(port),
      AUTH_SECRET: 'the-auth-secret-of-the-flow-test',
    },
    'web',
  );
  await web.said('web server is listening');
}

async function call<T>(
  method: string,
  path: string,
  body?: string | Uint8Array<ArrayBuffer>,
  type = 'application/json',
): Promise<T> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${session}`, ...(body === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  expect(response.ok, `${method} ${path} answered ${response.status}: ${text}`).toBe(true);
  return JSON.parse(text) as T;
}

async function startImport(): Promise<string> {
  const wanted = JSON.stringify({ organization: organization.id, name: 'export.zip', size: FILE.length });
  const { id } = (await call<{ import: ChatImport }>('POST', '/api/imports', wanted)).import;
  await call('PUT', `/api/imports/${id}/parts/0`, new Uint8Array(FILE), 'application/octet-stream');
  await call('POST', `/api/imports/${id}/start`);
  return id;
}

const show = async (id: string): Promise<ChatImport> =>
  (await call<{ import: ChatImport }>('GET', `/api/imports/${id}`)).import;
const ended = (id: string): Promise<ChatImport> =>
  poll(async () => {
    const found = await show(id);
    return found.state !== 'waiting' && found.state !== 'running' && found;
  });
const itemsOf = async (id: string): Promise<ImportItem[]> =>
  (await call<{ items: ImportItem[] }>('GET', `/api/imports/${id}/items`)).items;

/** The import comes as far as this conversation, which waits for a row that this transaction holds. */
async function killInTheMiddle(): Promise<string> {
  return db.transaction(async (tx) => {
    await tx.query(
      `insert into :schema.chat_thread (id, organization_id, workspace_id, user_id, title) values ('thr_held', $1, $2, $3, 'held')`,
      [organization.id, organization.defaultId, person.id],
    );
    await tx.query(
      `insert into :schema.chat_imported (organization_id, user_id, source, source_id, thread_id) values ($1, $2, 'librechat', $3, 'thr_held')`,
      [organization.id, person.id, `chat-${TITLES[KILLED_AT]}`],
    );
    const id = await startImport();
    await poll(async () => (await show(id)).taken === KILLED_AT);
    await poll(async () => (await waiting()) > 0);
    await web.stop('SIGKILL');
    await tx.query("delete from :schema.chat_thread where id = 'thr_held'");
    return id;
  });
}

/** Statements of others that wait for a lock of this test's schema. */
async function waiting(): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and query like $1`,
    ['insert into %chat_imported%'],
  );
  return rows[0]?.count ?? 0;
}

it('ends it once after the next start, with nothing doubled and nothing left of the file', async () => {
  await startWeb();
  const id = await killInTheMiddle();
  // Twenty seconds later, as far as the database knows.
  const { rows: left } = await db.query(
    "update :schema.chat_import set taken_until = now() - interval '1 second' where id = $1 returning state, taken",
    [id],
  );
  expect(left).toEqual([{ state: 'running', taken: KILLED_AT }]);
  await startWeb();
  expect(await ended(id)).toMatchObject({ state: 'done', taken: TITLES.length, present: 0, leftOut: 0, progress: 1 });

  const items = await itemsOf(id);
  expect(items.map(({ number, title, outcome, messages }) => ({ number, title, outcome, messages }))).toEqual(
    TITLES.map((title, number) => ({ number, title, outcome: 'taken', messages: items[0]?.messages })),
  );
  const { rows } = await db.query<{ title: string; shown: number; stored: number }>(
    `select t.title, t.messages as shown, (select count(*)::int from :schema.chat_message m where m.thread_id = t.id) as stored
       from :schema.chat_thread t where t.user_id = $1 order by t.id`,
    [person.id],
  );
  expect(rows.map(({ title }) => title).toSorted()).toEqual(TITLES.toSorted());
  expect(new Set(items.map(({ thread }) => thread)).size).toBe(TITLES.length);
  for (const { shown, stored } of rows) expect([shown, stored]).toEqual([MESSAGES, MESSAGES]);
  const { rows: pieces } = await db.query('select 1 from :schema.chat_import_piece where import_id = $1', [id]);
  expect(pieces).toEqual([]);

  const again = await startImport();
  expect(await ended(again)).toMatchObject({ state: 'done', taken: 0, present: TITLES.length, leftOut: 0 });
});
