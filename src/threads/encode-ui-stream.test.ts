import { asSchema, uiMessageChunkSchema } from 'ai';
import { expect, it } from 'vitest';
import type { NeutralEvent } from '../model-providers/codecs/neutral.ts';
import { type AnswerChunk, createPartCollector, createUiEncoder, endChunks, formatChunk } from './encode-ui-stream.ts';

const EVENTS: readonly NeutralEvent[] = [
  { type: 'start', id: 'x', model: 'm' },
  { type: 'reasoning', text: 'Hm' },
  { type: 'reasoning', text: 'm.' },
  { type: 'text', text: 'For' },
  { type: 'text', text: '' },
  { type: 'text', text: 'ty.\0' },
  { type: 'tool-start', index: 0, id: 't', name: 'n' },
  { type: 'refusal', text: ' No.' },
  {
    type: 'usage',
    usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
    final: true,
  },
];

function encodeAll(): AnswerChunk[] {
  let nowMs = 0;
  const encoder = createUiEncoder(() => (nowMs += 1_500));
  return [...EVENTS.flatMap((event) => encoder.encode(event)), ...encoder.close(), ...encoder.close()];
}

it('produces blocks of text and reasoning, each started and ended once', () => {
  expect(encodeAll()).toEqual([
    { type: 'reasoning-start', id: '1' },
    { type: 'reasoning-delta', id: '1', delta: 'Hm' },
    { type: 'reasoning-delta', id: '1', delta: 'm.' },
    { type: 'reasoning-end', id: '1', providerMetadata: { service: { durationMs: 1_500 } } },
    { type: 'text-start', id: '2' },
    { type: 'text-delta', id: '2', delta: 'For' },
    { type: 'text-delta', id: '2', delta: 'ty.\0' },
    { type: 'text-delta', id: '2', delta: ' No.' },
    { type: 'text-end', id: '2' },
  ]);
});

it('stores the same, without characters the database cannot hold', () => {
  const collector = createPartCollector();
  for (const chunk of encodeAll()) collector.add(chunk);
  expect(collector.parts()).toEqual([
    { type: 'reasoning', text: 'Hmm.', durationMs: 1_500 },
    { type: 'text', text: 'Forty. No.' },
  ]);
});

it.each([
  ['stop', ['finish']],
  ['length', ['finish']],
  ['stopped', ['message-metadata', 'abort']],
  ['error', ['message-metadata', 'error']],
] as const)('an answer that ended with %s says so', (finish, types) => {
  expect(endChunks({ finish, error: { code: 'c', message: 'Why.' } }).map(({ type }) => type)).toEqual(types);
});

it('is accepted by the AI SDK', async () => {
  const schema = asSchema(uiMessageChunkSchema);
  const all = [
    { type: 'start', messageId: 'm', messageMetadata: { model: 'x' } },
    ...encodeAll(),
    ...(['stop', 'stopped', 'error'] as const).flatMap((finish) => endChunks({ finish, model: 'x' })),
    { type: 'data-job', id: 'j', data: { id: 'j', objective: 'o' } },
  ];
  for (const chunk of all)
    expect(await schema.validate?.(JSON.parse(JSON.stringify(chunk)))).toMatchObject({ success: true });
});

it('is an event with an id', () => {
  expect(formatChunk(3, '{"type":"abort"}')).toBe('id: 3\ndata: {"type":"abort"}\n\n');
});
