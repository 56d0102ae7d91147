// Messages are found, exported and shared over the wire of the web server as a process of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import { appendMessage } from '../../src/threads/messages.ts';
import { insertThread } from '../../src/threads/threads.ts';
import type { Database } from '../../src/store/database.ts';
import { builtEntry } from '../support/built-entry.ts';
import { openTestDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { addOrganization, addPerson, addSession, type Person, type TestOrganization } from '../support/people.ts';

let db: Database;
let person: Person;
let organization: TestOrganization;
let web: ChildProcess;
let url: string;
let headers: Record<string, string>;
const thread = newId('thr');

async function say(text: string): Promise<string> {
  const id = newId('msg');
  await appendMessage(db, thread, { id, role: 'user', parts: [{ type: 'text', text }], metadata: {} });
  return id;
}

async function find(q: string): Promise<string[]> {
  const query = new URLSearchParams({ organization: organization.id, q }).toString();
  const response = await fetch(`${url}/api/threads/search?${query}`, { headers });
  const { results } = (await response.json()) as { results: { message: { id: string } }[] };
  return results.map(({ message }) => message.id);
}

beforeAll(async () => {
  db = await openTestDatabase();
  person = await addPerson(db, 'Flora');
  organization = await addOrganization(db, person);
  headers = { authorization: `Bearer ${await addSession(db, person)}` };
  await insertThread(db, {
    id: thread,
    organizationId: organization.id,
    workspaceId: organization.defaultId,
    workspacePicked: false,
    userId: person.id,
    title: 'Old plans',
  });
});
afterAll(async () => {
  if (web?.exitCode === null) {
    web.kill('SIGTERM');
    await once(web, 'exit');
  }
  await db.close();
});

it('finds what was written before it started, and what is written now', async () => {
  const old = [];
  for (let i = 0; i < 250; i++) old.push(await say(`an old albatross, number ${i}`));
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  web = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', builtEntry('web')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'] ?? '',
      SERVICE_LOG_LEVEL: 'info',
      SERVICE_UPSTREAM_DB: inject('postgresUrl'),
      SERVICE_DB_SCHEMA: db.schema,
      SERVICE_WEB_PORT: String(port),
      AUTH_SECRET: 'the-auth-secret-of-the-flow-test',
    },
  });
  let output = '';
  for await (const chunk of web.stdout ?? []) {
    output += String(chunk);
    if (output.includes('web server is listening')) break;
  }
  web.stdout?.resume();

  const now = await say('a new albatross');
  expect(await find('new albatrosses')).toEqual([now]);
  expect(await find('old albatross')).toHaveLength(20);
  expect(await find('number 249 ')).toEqual([old.at(-1)]);
});

it('exports and shares over the wire', async () => {
  const markdown = await fetch(`${url}/api/threads/${thread}/export`, { headers });
  expect(markdown.headers.get('content-disposition')).toContain('filename="Old plans.md"');
  expect(await markdown.text()).toContain('an old albatross, number 0');
  const shared = await fetch(`${url}/api/threads/${thread}/share`, { method: 'PUT', headers });
  const { share } = (await shared.json()) as { share: { id: string; messages: number } };
  expect(share.messages).toBe(251);
  expect((await fetch(`${url}/api/shares/${share.id}`)).status).toBe(401);
  expect((await fetch(`${url}/api/shares/${share.id}`, { headers })).status).toBe(200);
});
