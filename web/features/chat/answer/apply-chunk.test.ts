import { describe, expect, it } from 'vitest';
import { type AnswerChunk, applyChunk, NO_ANSWER, readChunk } from './apply-chunk.ts';

const fold = (...chunks: AnswerChunk[]) => chunks.reduce(applyChunk, NO_ANSWER);

describe('a streamed answer', () => {
  it('becomes the stored parts, with its metadata', () => {
    expect(
      fold(
        { type: 'start', messageId: 'msg_1', messageMetadata: { model: 'm', credential: 'platform' } },
        { type: 'reasoning-start', id: '1' },
        { type: 'reasoning-delta', id: '1', delta: 'Hm.' },
        { type: 'reasoning-end', id: '1', providerMetadata: { service: { durationMs: 4_200 } } },
        { type: 'text-start', id: '2' },
        { type: 'text-delta', id: '2', delta: 'Forty' },
        { type: 'text-delta', id: '2', delta: '-two.' },
        { type: 'text-end', id: '2' },
        { type: 'finish', finishReason: 'stop', messageMetadata: { cost: 0.01, finish: 'stop' } },
      ),
    ).toEqual({
      id: 'msg_1',
      parts: [
        { type: 'reasoning', text: 'Hm.', durationMs: 4_200 },
        { type: 'text', text: 'Forty-two.' },
      ],
      metadata: { model: 'm', credential: 'platform', cost: 0.01, finish: 'stop' },
      end: 'done',
    });
  });

  it('keeps its text when it is stopped or interrupted', () => {
    const begun: AnswerChunk[] = [
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'Half' },
    ];
    expect(
      fold(
        ...begun,
        { type: 'message-metadata', messageMetadata: { finish: 'stopped' } },
        { type: 'abort', reason: 'stopped' },
      ),
    ).toMatchObject({ parts: [{ text: 'Half' }], metadata: { finish: 'stopped' }, end: 'stopped' });
    expect(fold(...begun, { type: 'error', errorText: 'x' })).toMatchObject({
      parts: [{ text: 'Half' }],
      end: 'failed',
    });
  });

  it('ignores unknown chunks', () => {
    expect(fold({ type: 'start-step' })).toBe(NO_ANSWER);
    expect(readChunk('[DONE]')).toBeUndefined();
    expect(readChunk('not json')).toBeUndefined();
    expect(readChunk('null')).toBeUndefined();
    expect(readChunk('{"type":"start"}')).toEqual({ type: 'start' });
  });
});
