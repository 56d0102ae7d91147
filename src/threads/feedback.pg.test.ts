// Ratings over a real database: whose answers can be rated, what owners read, and when a rating goes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import { addOrganization, addPerson, join, type Person, type TestOrganization } from '../../test/support/people.ts';
import { newId } from '../base/ids.ts';
import { FEEDBACK_LIMITS } from '../contract/feedback/feedback-limits.ts';
import type { Database } from '../store/database.ts';
import { removeVersion } from './change-versions.ts';
import { findFeedback, giveFeedback, listFeedback, withdrawFeedback } from './feedback.ts';
import { appendMessage } from './messages.ts';
import { insertThread, removeThread } from './threads.ts';
import { setAside } from './versions.ts';

let db: Database;
let [owner, person, colleague, stranger] = [] as unknown as [Person, Person, Person, Person];
let org: TestOrganization;
let other: TestOrganization;
beforeAll(async () => {
  db = await openTestDatabase({ poolMax: 3 });
  [owner, person, colleague, stranger] = [
    await addPerson(db),
    await addPerson(db),
    await addPerson(db),
    await addPerson(db),
  ];
  org = await addOrganization(db, owner);
  for (const one of [person, colleague]) await join(db, org.id, one, 'member');
  other = await addOrganization(db, stranger);
});
afterAll(() => db.close());

async function newChat(user = person, metadata: object = { model: 'a/b' }, place = org) {
  const thread = newId('thr');
  const at = { organizationId: place.id, workspaceId: place.defaultId, workspacePicked: false };
  await insertThread(db, { id: thread, ...at, userId: user.id, title: 'A chat' });
  const [question, answer] = [newId('msg'), newId('msg')];
  await appendMessage(db, thread, {
    id: question,
    role: 'user',
    parts: [{ type: 'text', text: 'When are herons fed?' }],
    metadata: {},
  });
  await appendMessage(db, thread, {
    id: answer,
    role: 'assistant',
    parts: [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'At noon.' },
    ],
    metadata,
  });
  return { thread, question, answer };
}
const target = (chat: { thread: string; answer: string }, userId = person.id) => ({
  userId,
  threadId: chat.thread,
  messageId: chat.answer,
});
const list = async (some: Partial<Parameters<typeof listFeedback>[1]> = {}) =>
  listFeedback(db, { organizationId: org.id, after: '', limit: 100, ...some });

describe('a rating', () => {
  it('has the model, the chat and the person, and the text only if it was included', async () => {
    const chat = await newChat(person, { model: 'service/auto', served: 'a/c' });
    expect(await giveFeedback(db, target(chat), { rating: 'down', reason: 'Wrong.' })).toEqual({
      rating: 'down',
      reason: 'Wrong.',
      include: false,
    });
    const [entry] = (await list()).entries;
    expect(entry).toMatchObject({
      rating: 'down',
      reason: 'Wrong.',
      model: 'service/auto',
      served: 'a/c',
      thread: chat.thread,
      message: chat.answer,
      member: person.id,
      workspace: org.defaultId,
    });
    expect(JSON.stringify(entry)).not.toContain('noon');
    await giveFeedback(db, target(chat), { rating: 'up', include: true });
    const [included] = (await list()).entries;
    expect(included).toMatchObject({ id: entry?.id, rating: 'up', reason: '', answer: 'At noon.' });
    expect(included?.question).toBe('When are herons fed?');
    expect([...(await findFeedback(db, chat.thread, [{ id: chat.answer }])).values()]).toEqual([
      { rating: 'up', reason: '', include: true },
    ]);
    await giveFeedback(db, target(chat), { rating: 'up' });
    expect((await list()).entries[0]).not.toHaveProperty('answer');
  });

  it('shows no more of a long answer than the limit', async () => {
    const chat = await newChat();
    await db.query('update :schema.chat_message set parts = $2 where id = $1', [
      chat.answer,
      JSON.stringify([{ type: 'text', text: 'x'.repeat(FEEDBACK_LIMITS.text + 10) }]),
    ]);
    await giveFeedback(db, target(chat), { rating: 'up', include: true });
    expect((await list()).entries[0]?.answer).toHaveLength(FEEDBACK_LIMITS.text);
  });

  it('is refused for the answer of another person, a question and what is unknown, and nothing is stored', async () => {
    const chat = await newChat();
    const before = (await list()).entries.length;
    const give = (who: string, messageId: string, threadId = chat.thread): Promise<unknown> =>
      giveFeedback(db, { userId: who, threadId, messageId }, { rating: 'up' });
    for (const who of [owner, colleague, stranger])
      await expect(give(who.id, chat.answer)).rejects.toMatchObject({ code: 'not_found' });
    const elsewhere = await newChat();
    await expect(give(person.id, elsewhere.answer)).rejects.toMatchObject({ code: 'not_found' });
    await expect(give(person.id, 'msg_unknown')).rejects.toMatchObject({ code: 'not_found' });
    await expect(give(person.id, chat.question)).rejects.toMatchObject({ code: 'invalid_request' });
    await giveFeedback(db, target(chat), { rating: 'up' });
    await expect(withdrawFeedback(db, target(chat, colleague.id))).rejects.toMatchObject({ code: 'not_found' });
    expect((await list()).entries).toHaveLength(before + 1);
    await withdrawFeedback(db, target(chat));
    expect((await list()).entries).toHaveLength(before);
  });

  it('goes with its message, its chat and its person, and stays while the message is another version', async () => {
    const rated = async (user = person) => {
      const chat = await newChat(user);
      await giveFeedback(db, target(chat, user.id), { rating: 'up' });
      return chat;
    };
    const exists = async (chat: { answer: string }): Promise<boolean> =>
      (await list({ limit: 200 })).entries.some(({ message }) => message === chat.answer);
    const version = await rated();
    await db.transaction((tx) => setAside(tx, version.thread, 1));
    expect(await exists(version)).toBe(true);
    await removeVersion({ db, listener: undefined }, target(version));
    expect(await exists(version)).toBe(false);
    const chat = await rated();
    await removeThread(db, person.id, chat.thread);
    expect(await exists(chat)).toBe(false);
    const left = await rated(colleague);
    await db.query('delete from :schema.organization_member where organization_id = $1 and user_id = $2', [
      org.id,
      colleague.id,
    ]);
    expect(await exists(left)).toBe(false);
  });
});

describe('the list', () => {
  it('is of one organization, in pages, and filtered by rating, model, project and day', async () => {
    const place = await addOrganization(db, owner);
    const in2 = { organizationId: place.id };
    for (const [model, rating] of [
      ['a/b', 'up'],
      ['a/b', 'down'],
      ['c/d', 'down'],
    ] as const) {
      const chat = await newChat(owner, { model }, place);
      await giveFeedback(db, target(chat, owner.id), { rating });
    }
    const all = await list(in2);
    expect([all.entries.map(({ model }) => model), all.total]).toEqual([['c/d', 'a/b', 'a/b'], { up: 1, down: 2 }]);
    const first = await list({ ...in2, limit: 2 });
    const rest = await list({ ...in2, limit: 2, after: first.entries[1]?.id ?? '' });
    expect([...first.entries, ...rest.entries].map(({ id }) => id)).toEqual(all.entries.map(({ id }) => id));
    expect((await list({ ...in2, rating: 'down', model: 'a/b' })).entries).toHaveLength(1);
    await db.query(
      "update :schema.chat_feedback set project_id = 'prj_1', created_at = '2026-02-03T23:59:59Z' where id = $1",
      [all.entries[2]?.id],
    );
    expect((await list({ ...in2, project: 'prj_1' })).total).toEqual({ up: 1, down: 0 });
    expect((await list({ ...in2, from: '2026-02-03', to: '2026-02-03' })).entries).toHaveLength(1);
    expect((await list({ ...in2, to: '2026-02-02' })).entries).toHaveLength(0);
    await expect(list({ ...in2, from: '2026-02-03', to: '2026-02-02' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect((await list({ organizationId: other.id })).entries).toEqual([]);
  });
});
