import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { countReads } from '../../test/support/count-reads.ts';
import { openTestDatabase } from '../../test/support/database.ts';
import { addOrganization, addPerson, type Person } from '../../test/support/people.ts';
import { newId } from '../base/ids.ts';
import { PAGE_BYTES } from '../base/page-bytes.ts';
import type { MessagePart } from '../contract/threads.ts';
import type { Database, Queryable } from '../store/database.ts';
import { readMessages } from './read-conversation.ts';
import { MESSAGE_PAGES } from './message-page.ts';
import {
  appendMessage,
  findMessage,
  listMessages,
  messagesInOrder,
  type MessagesAt,
  type StoredMessage,
} from './messages.ts';
import { findSharedMessage, openShare, saveShare } from './shares.ts';
import { insertThread } from './threads.ts';

let db: Database;
let person: Person;
let place: { organizationId: string; workspaceId: string };
let threadId: string;
beforeAll(async () => {
  db = await openTestDatabase({ poolMax: 2 });
  person = await addPerson(db);
  const { id: organizationId, defaultId: workspaceId } = await addOrganization(db, person);
  place = { organizationId, workspaceId };
});
afterAll(() => db.close());
beforeEach(() => newThread());

async function newThread(): Promise<void> {
  threadId = newId('thr');
  await insertThread(db, { id: threadId, ...place, workspacePicked: false, userId: person.id, title: 'x' });
}

async function say(...messages: readonly (readonly MessagePart[])[]): Promise<void> {
  for (const [index, parts] of messages.entries())
    await appendMessage(db, threadId, {
      id: newId('msg'),
      role: index % 2 === 0 ? 'user' : 'assistant',
      parts,
      metadata: {},
    });
}

const text = (value: string): MessagePart => ({ type: 'text', text: value });
const size = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const CUT = MESSAGE_PAGES.shown.cutBytes;

/** Pages from the latest to the first, by the cursor that a client is given. */
async function pagesOf(
  read: (before: number | undefined) => Promise<readonly StoredMessage[]>,
): Promise<(readonly StoredMessage[])[]> {
  const pages: (readonly StoredMessage[])[] = [];
  for (let before: number | undefined; ;) {
    const page = await read(before);
    if (page.length > 0) pages.push(page);
    before = page[0]?.position;
    if (before === undefined || before === 0) return pages;
  }
}

async function stored(): Promise<StoredMessage[]> {
  const all: StoredMessage[] = [];
  for await (const page of messagesInOrder(db, threadId)) {
    expect(page.length === 1 || size(page.map(({ parts }) => parts)) <= PAGE_BYTES + 50 * page.length).toBe(true);
    all.push(...page);
  }
  return all;
}

/** Compared as booleans: a difference of megabytes would be printed as such. */
function isBeginning(shown: StoredMessage, whole: StoredMessage | undefined): boolean {
  if (shown.wholeBytes === undefined) return isDeepStrictEqual(shown, whole);
  // A character counts as the average of its part, at most four times as much as the smallest.
  if (shown.wholeBytes <= CUT || size(shown.parts) > 5 * CUT) return false;
  return shown.parts.every((cut, index) => {
    const of = whole?.parts[index];
    return 'text' in cut && of && 'text' in of && cut.type === of.type && of.text.startsWith(cut.text);
  });
}

const LENGTHS = [0, 5, 5, 5, 5, 900, 30_000, CUT - 30, CUT, 300_000, 2_000_000];
const part = fc
  .tuple(fc.constantFrom(...LENGTHS), fc.constantFrom('x', 'ä', '😀', '"\n', 'word '), fc.boolean())
  .map(([length, unit, thinks]) => {
    const value = unit.repeat(Math.ceil(length / unit.length));
    return thinks ? ({ type: 'reasoning', text: value } as const) : text(value);
  });
const conversation = fc.array(fc.array(part, { maxLength: 3 }), { maxLength: 12 });

describe('pages of messages', () => {
  it('are the conversation, together and each small enough or of one message, shared or not', async () => {
    await fc.assert(
      fc.asyncProperty(conversation, fc.integer({ min: 1, max: 6 }), async (said, limit) => {
        await newThread();
        await say(...said);
        const whole = await stored();
        expect(
          isDeepStrictEqual(
            whole.map(({ parts }) => parts),
            said,
          ),
        ).toBe(true);
        const { id: shareId } = await saveShare(db, { id: person.id, name: 'x' }, threadId);
        for (const [pages, shown] of [
          [await pagesOf((before) => listMessages(db, threadId, { before, limit })), whole],
          [
            await pagesOf(async (before) => (await openShare(db, person.id, { shareId, before, limit })).messages),
            whole.map((message) => ({ ...message, parts: message.parts.filter(({ type }) => type !== 'reasoning') })),
          ],
        ] as const) {
          const together = pages.toReversed().flat();
          expect(together.map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
          expect(together.filter((message, index) => !isBeginning(message, shown[index]))).toEqual([]);
          for (const page of pages) {
            expect(page.length).toBeLessThanOrEqual(limit);
            const sent = page.reduce((sum, { parts, wholeBytes }) => sum + Math.min(wholeBytes ?? size(parts), CUT), 0);
            expect(page.length === 1 || sent <= PAGE_BYTES).toBe(true);
          }
        }
      }),
      { numRuns: 15 },
    );
  });

  it('are around a message, and read no more of a long thread than they have', async () => {
    await db.query(
      `insert into chat_message (thread_id, position, id, role, parts, metadata)
       select $1, n, $1 || n, 'user', '[{"type": "text", "text": "x"}]', '{}' from generate_series(0, 1999) n`,
      [threadId],
    );
    await db.query('analyze chat_message');
    const counted = countReads(db, 'chat_message');
    const read = async (
      at: Omit<MessagesAt, 'limit'>,
      limit = 10,
    ): Promise<[number | undefined, number | undefined]> => {
      const page = await counted.transaction((tx) => listMessages(tx, threadId, { ...at, limit }));
      expect(page.map(({ position }) => position)).toEqual(page.map((_, index) => (page[0]?.position ?? 0) + index));
      expect(counted.rowsRead()).toBeLessThanOrEqual(2 * limit + 2);
      return [page[0]?.position, page.at(-1)?.position];
    };
    expect(await read({ around: `${threadId}700` })).toEqual([696, 705]);
    expect(await read({ around: `${threadId}700` }, 1)).toEqual([700, 700]);
    expect(await read({ around: `${threadId}0` })).toEqual([0, 5]);
    expect(await read({ around: `${threadId}1999` })).toEqual([1995, 1999]);
    expect(await read({ after: 705 })).toEqual([706, 715]);
    expect(await read({ after: 1999 })).toEqual([undefined, undefined]);
    expect(await read({ before: 696 })).toEqual([686, 695]);
    // Of another thread, or gone.
    expect(await read({ around: 'msg_nowhere' })).toEqual([1990, 1999]);
  });

  it('are cut by what is read as well: a page of long messages does not decompress all of them', async () => {
    // Nothing that compresses.
    await say(...Array.from({ length: 10 }, () => [text(randomBytes(750_000).toString('base64'))]));
    const { read, rows } = await toastRead((on) => listMessages(on, threadId, { limit: 50 }));
    expect(rows.map(({ position, wholeBytes }) => [position, wholeBytes])).toEqual(
      [2, 3, 4, 5, 6, 7, 8, 9].map((position) => [position, 1_000_030]),
    );
    // A chunk has about 2 kB.
    expect(read).toBeLessThan(4_800);
    const whole = await findMessage(db, threadId, rows[0]?.id ?? '');
    expect(size(whole?.parts)).toBeGreaterThan(1_000_000);
  });
});

describe('what a model is sent', () => {
  const asked = (position: number): StoredMessage => ({
    id: 'msg_asked',
    position,
    role: 'user',
    parts: [text('?')],
    metadata: {},
    createdAt: '',
  });

  it('has what fits, however much was thought, and nothing else is read', async () => {
    const random = (): string => randomBytes(750_000).toString('base64');
    await say([text(random())], [{ type: 'reasoning', text: 'x'.repeat(900_000) }, text('one')], [text('two')]);
    const small = await toastRead((on) => readMessages(on, threadId, asked(3), 1_000));
    expect(small.rows.map(({ position }) => position)).toEqual([1, 2, 3]);
    expect(small.read).toBeLessThan(50);
    expect((await readMessages(db, threadId, asked(3), 1_000_100)).map(({ position }) => position)).toEqual([
      0, 1, 2, 3,
    ]);
    expect((await readMessages(db, threadId, asked(3), 0)).map(({ position }) => position)).toEqual([3]);
  });

  it('is read over more pages than one', async () => {
    await db.query(
      `insert into :schema.chat_message (thread_id, position, id, role, parts)
       select $1, n, $1 || '.' || n, 'user', '[{"type":"text","text":"ab"}]' from generate_series(0, 449) n`,
      [threadId],
    );
    const read = await readMessages(db, threadId, asked(450), 801);
    expect([read.length, read[0]?.position]).toEqual([401, 50]);
  });
});

it('a shared message is whole to those who see the link', async () => {
  const said = 'y'.repeat(200_000);
  await say([text(said)]);
  const { id: shareId } = await saveShare(db, { id: person.id, name: 'x' }, threadId);
  const [shown] = (await openShare(db, person.id, { shareId, before: undefined, limit: 5 })).messages;
  expect(shown?.wholeBytes).toBeGreaterThan(200_000);
  const messageId = shown?.id ?? '';
  expect((await findSharedMessage(db, person.id, { shareId, messageId }))?.message.parts).toSatisfy((parts) =>
    isDeepStrictEqual(parts, [text(said)]),
  );
  expect(await findSharedMessage(db, 'usr_other', { shareId, messageId })).toBeUndefined();
});

/** How many pieces of long values were read. */
async function toastRead<T>(work: (on: Queryable) => Promise<T>): Promise<{ read: number; rows: T }> {
  const count = async (on: Queryable): Promise<number> =>
    (
      await on.query<{ read: number }>(
        `select coalesce(s.idx_tup_fetch, 0)::int as read from pg_class c join pg_stat_xact_all_tables s on s.relid = c.reltoastrelid
          where c.oid = ':schema.chat_message'::regclass`,
      )
    ).rows[0]?.read ?? 0;
  return db.transaction(async (tx) => {
    const before = await count(tx);
    const rows = await work(tx);
    return { rows, read: (await count(tx)) - before };
  });
}
