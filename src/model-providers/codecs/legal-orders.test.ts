// Whatever order of events a provider is documented to send, and however the bytes are cut, the decoder gives the same
// neutral events, and the observer of a stream that is passed through the same usage.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Block,
  meaningOf,
  meaningOfAnswer,
  type StreamedAnswer,
} from '../../../test/support/legal-streams/answer.ts';
import { legalStream } from '../../../test/support/legal-streams/legal-stream.ts';
import type { Protocol } from './neutral.ts';
import { createStreamObserver } from './observe-stream.ts';
import { PROTOCOLS } from './protocols.ts';

const text = fc.string({
  unit: fc.constantFrom('a', ' ', 'é', '漢', '🙂', '"', '\\', '\n', '\u2028', '}', '{'),
  minLength: 1,
  maxLength: 30,
});
const block: fc.Arbitrary<Block> = fc.oneof(
  text.map((value): Block => ({ kind: 'text', text: value })),
  text.map((value): Block => ({ kind: 'thinking', text: value })),
  fc.record({ number: fc.integer({ min: 0, max: 1e9 }), value: text }).map(({ number, value }): Block => ({
    kind: 'tool',
    id: `call_${number}`,
    name: 'look',
    arguments: JSON.stringify({ value }),
  })),
);
const answer: fc.Arbitrary<StreamedAnswer> = fc.record({
  id: fc.constant('id_1'),
  model: fc.constant('some-model'),
  blocks: fc.uniqueArray(block, {
    minLength: 1,
    maxLength: 6,
    selector: (one) => (one.kind === 'tool' ? one.id : one),
  }),
  usage: fc.record({
    input: fc.integer({ min: 100, max: 1000 }),
    cached: fc.integer({ min: 0, max: 100 }),
    output: fc.integer({ min: 2, max: 1000 }),
  }),
  cut: fc.boolean(),
});

describe.each(Object.keys(PROTOCOLS) as Protocol[])('%s', (protocol) => {
  test('every legal order of events has the same meaning', () => {
    fc.assert(
      fc.property(answer, fc.integer({ min: 0 }), (given, seed) => {
        const decoder = PROTOCOLS[protocol].createStreamDecoder();
        const observer = createStreamObserver(protocol);
        const events = legalStream(protocol, given, seed).flatMap((bytes) => {
          observer.feed(bytes);
          return decoder.feed(bytes);
        });
        expect(meaningOf([...events, ...decoder.end()])).toEqual(meaningOfAnswer(given));
        const { usage, finished } = observer.see();
        expect([usage?.inputTokens, usage?.cacheReadTokens, usage?.outputTokens, finished]).toEqual([
          given.usage.input,
          given.usage.cached,
          given.usage.output,
          true,
        ]);
      }),
      { numRuns: 150 },
    );
  });
});
