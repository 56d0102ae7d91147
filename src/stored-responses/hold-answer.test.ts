import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createReceiver } from '../../test/support/models/answer-receiver.ts';
import { chunk, neutralAnswer, toEvents } from '../../test/support/models/neutral-answers.ts';
import { createStreamEncoder } from '../model-providers/codecs/encode-answer.ts';
import type { Loose } from '../model-providers/codecs/read-fields.ts';
import { chooseReader } from '../turns/answer-reader.ts';
import type { Keep } from './hold-answer.ts';

const ANSWER = {
  key: 'k',
  model: 'm',
  createdSeconds: 1,
  includeUsage: false,
  request: { tools: [{ type: 'function', name: 'f', parameters: { const: { type: 'response.completed' } } }] },
};
const lengths = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 6 });

function streamOf(protocol: 'responses' | 'messages' | 'chat', answer: Parameters<typeof toEvents>[0]): Buffer {
  const encoder = createStreamEncoder(protocol, ANSWER);
  return Buffer.from(
    toEvents(answer)
      .map((event) => encoder.encode(event))
      .join(''),
  );
}

/** Feeds a stream in pieces to a reader whose answer is kept when the test says so. */
function readStream(bytes: Buffer, pieces: readonly number[], protocol: 'responses' | 'messages' | 'chat') {
  const receiver = createReceiver();
  const kept: Loose[] = [];
  const done = Promise.withResolvers<void>();
  const keep: Keep = (response) => (kept.push(response as Loose), done.promise);
  const reader = chooseReader(
    { surface: 'responses', protocol, answer: ANSWER, writer: receiver.writer, keep },
    { stream: true, passThrough: protocol === 'responses' },
  );
  for (const piece of chunk(bytes, pieces)) reader.take(piece);
  void reader.end();
  return { receiver, kept, release: async () => (done.resolve(), await receiver.ended) };
}

it('ends a passed-through stream only after the response is stored, without changing a byte', async () => {
  await fc.assert(
    fc.asyncProperty(neutralAnswer, lengths, async (answer, pieces) => {
      const bytes = streamOf('responses', answer);
      const { receiver, kept, release } = readStream(bytes, pieces, 'responses');
      const text = bytes.toString();
      const before = receiver.bytes();
      expect(before.length).toBeLessThan(bytes.length);
      expect(before.equals(bytes.subarray(0, before.length))).toBe(true);
      expect(receiver.text()).not.toMatch(/event: response\.(?:completed|incomplete)\n[^\n]*\n\n/);
      await release();
      expect(receiver.text()).toBe(text);
      expect(kept).toEqual([
        (JSON.parse(text.slice(text.lastIndexOf('\ndata: ') + '\ndata: '.length)) as { response: unknown }).response,
      ]);
    }),
    { numRuns: 50 },
  );
});

it.each(['messages', 'chat'] as const)(
  'holds back the end of a stream that is translated from %s',
  async (protocol) => {
    await fc.assert(
      fc.asyncProperty(neutralAnswer, lengths, async (answer, pieces) => {
        const { receiver, kept, release } = readStream(streamOf(protocol, answer), pieces, protocol);
        expect(receiver.text()).not.toMatch(/event: response\.(?:completed|incomplete)/);
        await release();
        expect(receiver.text()).toMatch(/event: response\.(?:completed|incomplete)\n[^\n]*\n\n$/);
        expect(kept).toMatchObject([{ id: 'resp_k', object: 'response', output: expect.any(Array) }]);
      }),
      { numRuns: 30 },
    );
  },
);

it('stores a failed answer as failed, and nothing of one that was cut off', async () => {
  const failed = readStream(
    Buffer.from('event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"busy"}}\n\n'),
    [500],
    'messages',
  );
  await failed.release();
  expect(failed.kept).toMatchObject([{ status: 'failed' }]);

  const { receiver, kept } = readStream(
    streamOf('responses', {
      parts: [{ type: 'text', text: 'Hello' }],
      usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
      finish: 'stop',
    }).subarray(0, 900),
    [100],
    'responses',
  );
  await receiver.ended;
  expect(kept).toEqual([]);
});

it('gives up at once when the client leaves', () => {
  const receiver = createReceiver();
  const reader = chooseReader(
    {
      surface: 'responses',
      protocol: 'responses',
      answer: ANSWER,
      writer: receiver.writer,
      keep: () => new Promise(() => {}),
    },
    { stream: true, passThrough: true },
  );
  reader.take(
    streamOf('responses', {
      parts: [],
      usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
      finish: 'stop',
    }),
  );
  reader.breakOff('aborted');
  expect([receiver.text(), receiver.destroyed()]).toEqual(['', true]);
});

it('also holds back a whole answer', async () => {
  const receiver = createReceiver();
  const done = Promise.withResolvers<void>();
  const reader = chooseReader(
    { surface: 'responses', protocol: 'responses', answer: ANSWER, writer: receiver.writer, keep: () => done.promise },
    { stream: false, passThrough: true },
  );
  reader.take(Buffer.from('{"id":"resp_1","status":"completed","output":[]}'));
  void reader.end();
  expect(receiver.text()).toBe('');
  done.resolve();
  await receiver.ended;
  expect(receiver.text()).toContain('resp_1');
});
