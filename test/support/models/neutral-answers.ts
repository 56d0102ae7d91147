// Answers of a model as neutral events, for tests that send them through the codecs.
import fc from 'fast-check';
import type { FinishReason, NeutralEvent, OutputPart, Usage } from '../../../src/model-providers/codecs/neutral.ts';

const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' }),
  fc.constantFrom(
    'Grüße, 世界 🌍',
    '"quoted" \\ back\nslash',
    '\u2028\u2029',
    'data: [DONE]\n\n',
    '"usage":{"prompt_tokens":9}',
  ),
);

const usage: fc.Arbitrary<Usage> = fc
  .tuple(fc.nat(1000), fc.nat(1000), fc.nat(1000), fc.nat(500), fc.nat(500))
  .map(([plain, cacheReadTokens, cacheWriteTokens, reasoningTokens, visible]) => ({
    inputTokens: plain + cacheReadTokens + cacheWriteTokens,
    outputTokens: reasoningTokens + visible,
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens,
  }));

const call = (index: number): fc.Arbitrary<OutputPart> =>
  fc
    .tuple(
      fc.constantFrom('look_up', 'add'),
      fc.dictionary(fc.string({ maxLength: 5 }), fc.oneof(text, fc.integer(), fc.boolean())),
    )
    .map(([name, input]) => ({ type: 'tool-call', id: `call_${index}`, name, arguments: JSON.stringify(input) }));

export interface NeutralAnswer {
  readonly parts: readonly OutputPart[];
  readonly usage: Usage;
  readonly finish: FinishReason;
}

export const neutralAnswer: fc.Arbitrary<NeutralAnswer> = fc
  .tuple(
    fc.option(text, { nil: undefined }),
    fc.tuple(call(0), call(1), call(2)),
    fc.nat(3),
    usage,
    fc.constantFrom<FinishReason>('stop', 'length', 'content-filter'),
  )
  .map(([said, calls, count, counts, reason]) => {
    const used = calls.slice(0, count);
    const parts: OutputPart[] = [...(said === undefined ? [] : [{ type: 'text' as const, text: said }]), ...used];
    return { parts, usage: counts, finish: used.length > 0 ? 'tool-calls' : reason };
  });

/** The events of an answer, each text cut into pieces of some characters. */
export function toEvents({ parts, usage: counts, finish }: NeutralAnswer, pieceLength = 7): NeutralEvent[] {
  const events: NeutralEvent[] = [{ type: 'start', id: 'up_1', model: 'upstream-model' }];
  let index = 0;
  for (const part of parts) {
    if (part.type === 'tool-call') {
      events.push({ type: 'tool-start', index, id: part.id, name: part.name });
      for (const piece of cut(part.arguments, pieceLength)) events.push({ type: 'tool-arguments', index, text: piece });
      events.push({ type: 'tool-end', index });
      index += 1;
    } else for (const piece of cut(part.text, pieceLength)) events.push({ type: part.type, text: piece });
    if (part.type === 'reasoning' && part.signature !== undefined)
      events.push({ type: 'reasoning-signature', signature: part.signature });
  }
  return [...events, { type: 'usage', usage: counts, final: true }, { type: 'finish', reason: finish }];
}

function cut(whole: string, length: number): string[] {
  const characters = Array.from(whole);
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += length) pieces.push(characters.slice(at, at + length).join(''));
  return pieces;
}

/** The same bytes in chunks of the given lengths, over and over. */
export function chunk(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const length = Math.max(1, lengths[turn % lengths.length] ?? 1);
    chunks.push(bytes.subarray(at, at + length));
    at += length;
  }
  return chunks;
}
