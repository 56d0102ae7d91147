import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import { addOrganization, addPerson, join, type Person, type TestOrganization } from '../../test/support/people.ts';
import { newId } from '../base/ids.ts';
import type { MessagePart } from '../contract/threads.ts';
import type { Database } from '../store/database.ts';
import { createWorkspace } from '../tenancy/workspaces/create-workspace.ts';
import { appendMessage } from './messages.ts';
import { searchMessages } from './search-messages.ts';
import { insertThread, removeThread } from './threads.ts';
import { setAside } from './versions.ts';

let db: Database;
let owner: Person;
let organization: TestOrganization;
beforeAll(async () => {
  db = await openTestDatabase();
  owner = await addPerson(db, 'Olga');
  organization = await addOrganization(db, owner);
});
afterAll(() => db.close());

interface Whose {
  readonly user?: Person;
  readonly place?: TestOrganization;
  readonly workspaceId?: string;
}

async function newThread({
  user = owner,
  place = organization,
  workspaceId = place.defaultId,
}: Whose = {}): Promise<string> {
  const id = newId('thr');
  await insertThread(db, {
    id,
    organizationId: place.id,
    workspaceId,
    workspacePicked: false,
    userId: user.id,
    title: 'A thread',
  });
  return id;
}

async function say(threadId: string, content: string | MessagePart[], role: 'user' | 'assistant' = 'user') {
  const id = newId('msg');
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  await appendMessage(db, threadId, { id, role, parts, metadata: {} });
  return id;
}

async function find(text: string, options: Partial<Parameters<typeof searchMessages>[1]> = {}): Promise<string[]> {
  const { hits } = await searchMessages(db, {
    userId: owner.id,
    organizationId: organization.id,
    text,
    limit: 50,
    ...options,
  });
  return hits.map(({ message }) => message.id);
}

describe('words', () => {
  let english: string;
  let german: string;
  let path: string;
  beforeAll(async () => {
    const thread = await newThread();
    english = await say(thread, 'The migrations were running while the invoices arrived.');
    german = await say(thread, 'Die Häuser in Überlingen sind verkauft, und alle Rechnungen liegen bei.', 'assistant');
    path = await say(thread, 'Look into src/chat/threads.ts and write to anna@example.com about ticket ABC-1234.');
  });

  it.each([
    ['invoice', () => [english]],
    ['migration run', () => [english]],
    ['Haus', () => [german]],
    ['überlingen', () => [german]],
    ['ÜBERL', () => [german]],
    ['Rechnung haus', () => [german]],
    ['und wo ist die Rechnung?', () => [german]],
    ['threads.ts', () => [path]],
    ['anna@exam', () => [path]],
    ['abc 1234', () => [path]],
    ['ABC-123', () => [path]],
    ['invoices houses', () => []],
    // Finished by a space: a whole word.
    ['invoi', () => [english]],
    ['invoi ', () => []],
    // Common words do not count beside others, and count alone.
    ['what about the invoices?', () => [english]],
    ['the invoices of the', () => [english]],
    ['where', () => []],
    ['und', () => [german]],
    ['!!! ???', () => []],
    ["'; drop table x; --", () => []],
    ["a' | 'b & !c:*", () => []],
    ['\\ \' " : * ! ( ) <->', () => []],
  ])('%s', async (text, expected) => {
    expect(await find(text)).toEqual(expected());
  });
});

it('marks what was found, in pieces of plain text', async () => {
  const thread = await newThread();
  await say(thread, 'We <mark>deployed</mark> it. Deploying again & deployments follow.');
  const {
    hits: [hit],
  } = await searchMessages(db, {
    userId: owner.id,
    organizationId: organization.id,
    text: 'deployed ',
    limit: 1,
  });
  expect(hit?.thread).toMatchObject({ id: thread, title: 'A thread' });
  expect(hit?.snippet).toEqual([
    { text: 'We <mark>' },
    { text: 'deployed', match: true },
    { text: '</mark> it. ' },
    { text: 'Deploying', match: true },
    { text: ' again & ' },
    { text: 'deployments', match: true },
    { text: ' follow.' },
  ]);
});

it('finds files by name and runs by objective, and not what a model thought', async () => {
  const thread = await newThread();
  const file = await say(thread, [
    { type: 'data-attachment', data: { id: 'att_1', name: 'quartalsbericht.pdf', type: 'application/pdf', size: 1 } },
  ]);
  const run = await say(
    thread,
    [{ type: 'data-job', data: { id: 'job_1', objective: 'Triage the zeppelin backlog' } }],
    'assistant',
  );
  await say(thread, [{ type: 'reasoning', text: 'secretly about kangaroos' }], 'assistant');
  expect(await find('quartalsbericht')).toEqual([file]);
  expect(await find('zeppelin')).toEqual([run]);
  expect(await find('kangaroo')).toEqual([]);
});

it('gives the latest first, page by page', async () => {
  const thread = await newThread();
  const said: string[] = [];
  for (let i = 0; i < 5; i++) {
    // Ids of the same millisecond are in no order.
    const id = newId('msg', Date.now() + i);
    await appendMessage(db, thread, { id, role: 'user', parts: [{ type: 'text', text: 'giraffe' }], metadata: {} });
    said.unshift(id);
  }
  expect(await find('giraffe', { limit: 3 })).toEqual(said.slice(0, 3));
  expect(await find('giraffe', { limit: 3, after: said[2] })).toEqual(said.slice(3));
});

it('follows edits and deletions', async () => {
  const thread = await newThread();
  const kept = await say(thread, 'a walrus');
  const cut = await say(thread, 'another walrus');
  expect((await find('walrus')).toSorted()).toEqual([kept, cut].toSorted());
  await db.transaction((tx) => setAside(tx, thread, 1));
  expect(await find('walrus')).toEqual([kept]);
  await db.query('update :schema.chat_message set parts = $2 where id = $1', [
    kept,
    JSON.stringify([{ type: 'text', text: 'a penguin' }]),
  ]);
  expect([await find('walrus'), await find('penguin')]).toEqual([[], [kept]]);
  await removeThread(db, owner.id, thread);
  expect(await find('penguin')).toEqual([]);
});

it('takes messages of any size, and of any words', async () => {
  const thread = await newThread();
  const many = Array.from({ length: 300_000 }, (_, i) => i.toString(36)).join(' ');
  const marks = await say(thread, `mammoth ${many}`);
  const faces = await say(thread, `mammoth ${'😀𝔘 '.repeat(200_000)}`);
  const one = await say(thread, `mammoth ${'x'.repeat(500_000)}`);
  const found = await find('mammoth');
  const more = await find('mammoth', { after: found.at(-1) });
  expect([...found, ...more]).toEqual([one, faces, marks]);
});

it('reads so much text for a page and no more, and finds the rest on the next ones', async () => {
  const thread = await newThread();
  const said: string[] = [];
  for (let n = 0; n < 9; n++)
    said.unshift(await say(thread, `manatee ${n} ${'padding '.repeat(n % 3 === 0 ? 60_000 : 3)}`));
  const pages: string[][] = [];
  for (let after: string | undefined; ;) {
    const { hits, cursor } = await searchMessages(db, {
      userId: owner.id,
      organizationId: organization.id,
      text: 'manatee',
      limit: 4,
      after,
    });
    pages.push(hits.map(({ message }) => message.id));
    if (cursor === undefined) break;
    after = cursor;
  }
  expect(pages.flat()).toEqual(said);
  expect(pages.map(({ length }) => length)).toEqual([4, 4, 1]);
  for (const id of said.slice(0, 5))
    await db.query('update :schema.chat_message set bytes = 3000000 where id = $1', [id]);
  const search = { userId: owner.id, organizationId: organization.id, text: 'manatee', limit: 4 };
  const { hits, cursor } = await searchMessages(db, search);
  expect([hits.length, cursor]).toEqual([1, said[0]]);
});

it('finds what is older than the words that are read one by one', async () => {
  const thread = await newThread();
  const old = await say(thread, 'an old aardvark');
  // Each has more than half a megabyte of words.
  for (let n = 0; n < 6; n++)
    await say(thread, Array.from({ length: 20_000 }, (_, i) => `w${n}x${i.toString(36)}`).join(' '));
  expect(await find('aardvark')).toEqual([old]);
});

describe('who finds what', () => {
  it('is only what is in their own threads, in the organization and workspace asked for', async () => {
    const other = await join(db, organization.id, await addPerson(db, 'Otto'), 'admin');
    const elsewhere = await addOrganization(db, owner);
    const lab = await createWorkspace(db, { userId: owner.id, organizationId: organization.id }, { name: 'Lab' });
    const mine = await say(await newThread(), 'the platypus of mine');
    const inLab = await say(await newThread({ workspaceId: lab.id }), 'a platypus in the lab');
    const theirs = await say(await newThread({ user: other }), 'the platypus of Otto');
    const outside = await say(await newThread({ place: elsewhere }), 'a platypus elsewhere');

    expect((await find('platypus')).toSorted()).toEqual([mine, inLab].toSorted());
    expect(await find('platypus', { userId: other.id })).toEqual([theirs]);
    expect(await find('platypus', { organizationId: elsewhere.id })).toEqual([outside]);
    expect(await find('platypus', { organizationId: elsewhere.id, userId: other.id })).toEqual([]);
    expect(await find('platypus', { workspace: lab.id })).toEqual([inLab]);
    expect(await find('platypus', { workspace: lab.slug })).toEqual([inLab]);
    expect(await find('platypus', { workspace: elsewhere.defaultId })).toEqual([]);
    expect(await find('platypus', { workspace: newId('ws') })).toEqual([]);
  });
});
