import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Database } from '../store/database.ts';
import { openTestDatabase, quiet } from '../../test/support/database.ts';
import { addOrganization, addPerson } from '../../test/support/people.ts';
import type { AnswerChunk } from './encode-ui-stream.ts';
import { appendMessage, listMessages } from './messages.ts';
import { createStreamWriter } from './stream-writer.ts';
import { claimStream, closeIfDead, closeStream, dropFinished, feedStream, findStream, listDead } from './streams.ts';
import { insertThread } from './threads.ts';
import { followStream } from './follow-stream.ts';

let db: Database;
let threadId: string;
let streamId: string;
let messageId: string;
beforeAll(async () => {
  db = await openTestDatabase({ poolMax: 4 });
});
afterAll(() => db.close());
beforeEach(async () => {
  const person = await addPerson(db);
  const { id: organizationId, defaultId: workspaceId } = await addOrganization(db, person);
  threadId = `thr_${person.id}`;
  await insertThread(db, {
    id: threadId,
    organizationId,
    workspaceId,
    workspacePicked: false,
    userId: person.id,
    title: 'x',
  });
  ({ streamId, messageId } = await db.transaction((tx) => claimStream(tx, threadId)));
});

const line = (chunk: AnswerChunk): string => JSON.stringify(chunk);
const age = (interval: string): Promise<unknown> =>
  db.query('update :schema.chat_stream set alive_at = now() - $2::interval where id = $1', [streamId, interval]);
const nothing = async (): Promise<void> => {};

it('is closed once with the content of its chunks, however many processes find it dead', async () => {
  await feedStream(db, streamId, {
    seq: 0,
    lines: [
      line({ type: 'start', messageMetadata: { model: 'm' } }),
      line({ type: 'text-start', id: '1' }),
      line({ type: 'text-delta', id: '1', delta: 'Ha' }),
    ],
  });
  await feedStream(db, streamId, { seq: 3, lines: [line({ type: 'text-delta', id: '1', delta: 'lf' })] });
  await age('31 seconds');
  expect(await listDead(db, 10)).toContain(threadId);
  await Promise.all(Array.from({ length: 6 }, () => closeIfDead(db, threadId)));
  expect(await listMessages(db, threadId, { limit: 10 })).toMatchObject([
    {
      id: messageId,
      parts: [{ type: 'text', text: 'Half' }],
      metadata: { model: 'm', finish: 'error', error: { code: 'unavailable' } },
    },
  ]);
  expect(await findStream(db, threadId)).toBeUndefined();
  // Its writer, should it wake again, learns that it is over and stores nothing.
  expect(await feedStream(db, streamId, { seq: 4, lines: [line({ type: 'text-delta', id: '1', delta: '!' })] })).toBe(
    'done',
  );
  expect(
    await closeStream(db, {
      threadId,
      streamId,
      rest: { seq: 4, lines: [] },
      store: (tx) => appendMessage(tx, threadId, { id: 'again', role: 'assistant', parts: [], metadata: {} }),
    }),
  ).toBe(false);
  expect(await listMessages(db, threadId, { limit: 10 })).toHaveLength(1);
});

it('is left alone while its writer is alive', async () => {
  await age('29 seconds');
  await closeIfDead(db, threadId);
  expect(await findStream(db, threadId)).toMatchObject({ id: streamId, state: 'open', dead: false });
});

it('is kept for a while after its end for clients still reading it, then deleted', async () => {
  await closeStream(db, { threadId, streamId, rest: { seq: 0, lines: [line({ type: 'abort' })] }, store: nothing });
  await dropFinished(db);
  const read = async (): Promise<string[]> => {
    const lines: string[] = [];
    for await (const chunk of followStream({
      db,
      listener: undefined,
      threadId,
      streamId,
      from: 0,
      signal: new AbortController().signal,
    }))
      if (chunk) lines.push(chunk.line);
    return lines;
  };
  expect(await read()).toEqual(['{"type":"abort"}']);
  await age('6 minutes');
  await dropFinished(db);
  expect(await read()).toEqual([]);
});

it('is written in batches whose chunks keep their numbers, even after failures', async () => {
  let failures = 2;
  let onBatch = (): void => {};
  const flaky: Database = {
    ...db,
    query(sql, values) {
      if (!sql.includes('insert into :schema.chat_stream_chunk')) return db.query(sql, values);
      onBatch();
      return failures-- > 0 ? Promise.reject(new Error('connection lost')) : db.query(sql, values);
    },
  };
  const states: (string | undefined)[] = [];
  const writer = createStreamWriter({ db: flaky, log: quiet, streamId, onState: (state) => void states.push(state) });
  const words = Array.from({ length: 500 }, (_, index) => line({ type: 'text-delta', id: '1', delta: `w${index}` }));
  for (const [index, word] of words.entries()) {
    const batch = new Promise<void>((resolve) => (onBatch = resolve));
    writer.write([word]);
    // The writer collects for a moment; waiting for a batch makes it write several.
    if (index % 50 === 0) await batch;
  }
  await closeStream(db, { threadId, streamId, rest: await writer.stop(), store: nothing });
  const followed: { seq: number; line: string }[] = [];
  for await (const chunk of followStream({
    db,
    listener: undefined,
    threadId,
    streamId,
    from: 0,
    signal: new AbortController().signal,
  }))
    if (chunk) followed.push(chunk);
  expect(followed).toEqual(words.map((word, seq) => ({ seq, line: word })));
  const { rows } = await db.query<{ batches: number }>(
    'select count(*)::int as batches from :schema.chat_stream_chunk where stream_id = $1',
    [streamId],
  );
  expect(rows[0]?.batches).toBeLessThan(20);
  expect(states.every((state) => state === 'open')).toBe(true);
});
