// Whatever a client or a provider sends: a request is decoded or refused with AppError, and a stream ends with one
// event that ends it.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { neutralAnswer, toEvents } from '../../../test/support/models/neutral-answers.ts';
import { AppError } from '../../base/errors.ts';
import { encodeChatRequest } from './chat/encode-request.ts';
import { createStreamEncoder } from './encode-answer.ts';
import { encodeMessagesRequest } from './messages/encode-request.ts';
import type { NeutralEvent } from './neutral.ts';
import { createStreamObserver } from './observe-stream.ts';
import { PROTOCOLS } from './protocols.ts';
import { readEnvelope } from './read-envelope.ts';
import { encodeResponsesRequest } from './responses/encode-request.ts';

const PROTOCOL_NAMES = ['chat', 'messages', 'responses'] as const;
const WORDS = [
  'role',
  'content',
  'type',
  'text',
  'tool_calls',
  'function',
  'user',
  'assistant',
  'tool',
  'tool_use',
  'tool_result',
  'image',
  'image_url',
  'source',
  'base64',
  'system',
  'input',
  'messages',
  'model',
  'tools',
  'name',
  'input_schema',
  'max_tokens',
  'document',
  'file',
  'url',
  'data:,',
  'http://',
  'reasoning',
  'function_call',
  'thinking',
  '__proto__',
  'constructor',
  'delta',
  'choices',
  'usage',
  'index',
  'message',
  'content_block',
  'content_block_start',
  'content_block_delta',
  'message_delta',
  'message_start',
  'response',
  'response.completed',
  'response.output_item.added',
  'item',
  'error',
  'finish_reason',
];
const word = fc.constantFrom(...WORDS);
const { value: json } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    word,
    fc.constantFrom(null, true, 0, -1, 1e308, ''),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(word, tie('value'), { maxKeys: 6 }),
  ),
}));

function tolerate(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
  }
}

describe('malformed input', () => {
  test.each(PROTOCOL_NAMES)('a body for %s is decoded or refused', (protocol) => {
    fc.assert(
      fc.property(fc.dictionary(word, json), json, (fields, messages) => {
        const body = JSON.parse(
          JSON.stringify({ model: 'm', max_tokens: 5, ...fields, messages: [messages], input: [messages] }),
        ) as unknown;
        tolerate(() => readEnvelope(protocol, body));
        tolerate(() => {
          const request = PROTOCOLS[protocol].decodeRequest(body);
          tolerate(() =>
            encodeMessagesRequest(request, { model: 'm', defaultMaxTokens: 10, thinking: 'budget', sampling: true }),
          );
          tolerate(() =>
            encodeChatRequest(request, { model: 'm', maxTokensField: 'max_tokens', reasoning: true, sampling: true }),
          );
          encodeResponsesRequest(request, { model: 'm', reasoning: true, sampling: true });
        });
      }),
      { numRuns: 400 },
    );
  });

  test.each(PROTOCOL_NAMES)('a stream of %s ends once, whatever its events are', (protocol) => {
    const line = fc.oneof(
      json.map((value) => `data: ${JSON.stringify(value)}\n\n`),
      fc.string().map((value) => `${value}\n`),
      fc.dictionary(word, json).map((value) => `data: ${JSON.stringify(value)}\r\n\r\n`),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const decoder = PROTOCOLS[protocol].createStreamDecoder();
        const observer = createStreamObserver(protocol);
        const events: NeutralEvent[] = [];
        for (const text of lines) {
          const bytes = Buffer.from(text);
          observer.feed(bytes);
          events.push(...decoder.feed(bytes));
        }
        events.push(...decoder.end(), ...decoder.end(), ...decoder.feed(Buffer.from('data: {}\n\n')));
        expect(events.filter((event) => event.type === 'finish' || event.type === 'error')).toHaveLength(1);
        expect(['finish', 'error']).toContain(events.at(-1)?.type);
        for (const surface of PROTOCOL_NAMES) {
          const encoder = createStreamEncoder(surface, {
            key: 'k',
            model: 'm',
            createdSeconds: 1,
            includeUsage: false,
            request: {},
          });
          for (const event of events) expect(typeof encoder.encode(event)).toBe('string');
        }
        PROTOCOLS[protocol].decodeResponse(lines);
      }),
      { numRuns: 300 },
    );
  });

  test.each(PROTOCOL_NAMES)('a valid stream of %s with broken bytes ends once', (protocol) => {
    fc.assert(
      fc.property(
        neutralAnswer,
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 5 }),
        fc.nat(),
        (answer, faults, cut) => {
          const encoder = createStreamEncoder(protocol, {
            key: 'k',
            model: 'm',
            createdSeconds: 1,
            includeUsage: true,
            request: {},
          });
          const bytes = Buffer.from(
            toEvents(answer)
              .map((event) => encoder.encode(event))
              .join(''),
          );
          for (const [at, value] of faults) bytes[at % bytes.length] = value;
          const decoder = PROTOCOLS[protocol].createStreamDecoder();
          const events = [...decoder.feed(bytes.subarray(0, cut % (bytes.length + 1))), ...decoder.end()];
          expect(events.filter((event) => event.type === 'finish' || event.type === 'error')).toHaveLength(1);
        },
      ),
    );
  });

  test('an endless stream without an end of line is cut off and held in bounded memory', () => {
    const decoder = PROTOCOLS.chat.createStreamDecoder();
    const piece = Buffer.alloc(64 * 1024, 'x');
    let events: NeutralEvent[] = [];
    let fed = 0;
    for (; fed < 100 && events.length === 0; fed += 1) events = decoder.feed(piece);
    expect(events).toMatchObject([{ type: 'error' }]);
    expect(fed).toBeLessThanOrEqual(17);
  });
});
