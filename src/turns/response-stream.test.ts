import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { AppError } from '../base/errors.ts';
import type { TurnHead } from './answer-turn.ts';
import { createResponseStream } from './response-stream.ts';

const HEAD = {
  request: { protocol: 'responses', passThrough: true },
  route: { provider: 'openai', credential: { kind: 'platform', key: 'k' } },
} as unknown as TurnHead;
const shape = (stream: boolean) => () => ({
  surface: 'responses' as const,
  stream,
  answer: { key: 'k', model: 'm', createdSeconds: 0, includeUsage: false, request: {} },
  headers: { 'x-service-provider': 'openai' },
});
const frame = (text: string): Buffer =>
  Buffer.from(
    `event: response.output_text.delta\ndata: ${JSON.stringify({ type: 'response.output_text.delta', delta: text })}\n\n`,
  );
const LAST = Buffer.from(
  'event: response.completed\ndata: {"type":"response.completed","response":{"status":"completed","usage":{"input_tokens":3,"output_tokens":2,"total_tokens":5}}}\n\n',
);

it('passes a stream on piece by piece, however slow it is, and ends with the turn', async () => {
  const sink = createResponseStream(new AbortController().signal, shape(true));
  const done = Promise.withResolvers<void>();
  const answering = sink.answerWith(done.promise);
  const reader = sink.begin(HEAD);
  const response = await answering;
  expect([response.status, response.headers.get('x-service-provider')]).toEqual([200, 'openai']);
  const text = response.text();
  for (const part of ['one', 'two', 'three']) {
    expect(reader.take(frame(part))).toBe(true);
    await turn();
  }
  reader.take(LAST);
  const used = await reader.end();
  expect(used.usage).toMatchObject({ inputTokens: 3, outputTokens: 2 });
  done.resolve();
  expect(await text).toBe(Buffer.concat([frame('one'), frame('two'), frame('three'), LAST]).toString());
});

it('pauses the provider while its reader is behind, and resumes it afterwards', async () => {
  const sink = createResponseStream(new AbortController().signal, shape(true));
  const resume = vi.fn();
  sink.onDrain(resume);
  const answering = sink.answerWith(new Promise(() => {}));
  const reader = sink.begin(HEAD);
  const body = (await answering).body?.getReader();
  expect(reader.take(frame('x'.repeat(300_000)))).toBe(false);
  expect(resume).not.toHaveBeenCalled();
  await body?.read();
  expect(resume).toHaveBeenCalledTimes(1);
});

it('counts as a client that left if its reader cancels or the signal aborts', async () => {
  const cancelled = createResponseStream(new AbortController().signal, shape(true));
  const answering = cancelled.answerWith(new Promise(() => {}));
  cancelled.begin(HEAD);
  await (await answering).body?.cancel();
  expect(cancelled.gone.aborted).toBe(true);

  const stop = new AbortController();
  const aborted = createResponseStream(stop.signal, shape(true));
  stop.abort(new Error('enough'));
  await expect(aborted.answerWith(Promise.resolve())).rejects.toThrow('enough');
});

it('refuses like the turn, before anything is written', async () => {
  const sink = createResponseStream(new AbortController().signal, shape(false));
  await expect(sink.answerWith(Promise.reject(new AppError('quota_exceeded')))).rejects.toThrow('quota_exceeded');
  const unreadable = createResponseStream(new AbortController().signal, shape(false));
  const done = Promise.withResolvers<void>();
  const answering = unreadable.answerWith(done.promise);
  const reader = unreadable.begin(HEAD);
  reader.take(Buffer.from('no json'));
  void reader.end();
  done.resolve();
  await expect(answering).rejects.toThrow('provider_unavailable');
});
