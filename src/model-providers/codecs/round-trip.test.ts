import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunk, neutralAnswer, toEvents } from '../../../test/support/models/neutral-answers.ts';
import { decodeChatRequest } from './chat/decode-request.ts';
import { encodeChatRequest } from './chat/encode-request.ts';
import { collectResponse } from './collect-response.ts';
import { createStreamEncoder, encodeResponse, type Answer } from './encode-answer.ts';
import { decodeMessagesRequest } from './messages/decode-request.ts';
import { encodeMessagesRequest } from './messages/encode-request.ts';
import type { InputPart, NeutralEvent, NeutralRequest, OutputPart, Protocol } from './neutral.ts';
import { PROTOCOLS } from './protocols.ts';
import { decodeResponsesRequest } from './responses/decode-request.ts';
import { encodeResponsesRequest } from './responses/encode-request.ts';

const word = fc.constantFrom('alpha', 'Grüße', '世界', 'a "b" \\ c', 'line\nline');
const inputPart: fc.Arbitrary<InputPart> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: word }),
  fc.constant<InputPart>({ type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' } }),
  fc.constant<InputPart>({ type: 'image', source: { kind: 'url', url: 'https://x.test/a.png' } }),
  fc.constant<InputPart>({
    type: 'document',
    source: { kind: 'base64', mediaType: 'application/pdf', data: 'BBBB' },
    title: 'a.pdf',
  }),
);
const turn = (index: number): fc.Arbitrary<NeutralRequest['messages']> =>
  fc
    .tuple(fc.array(inputPart, { minLength: 1, maxLength: 3 }), word, fc.boolean(), word)
    .map(([parts, said, calls, result]) => [
      { role: 'user', parts },
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: said },
          ...(calls
            ? [
                {
                  type: 'tool-call',
                  id: `call_${index}`,
                  name: 'f',
                  arguments: JSON.stringify({ q: said }),
                } satisfies OutputPart,
              ]
            : []),
        ],
      },
      ...(calls
        ? [
            {
              role: 'tool' as const,
              results: [{ id: `call_${index}`, parts: [{ type: 'text' as const, text: result }], isError: false }],
            },
            { role: 'assistant' as const, parts: [{ type: 'text' as const, text: 'done' }] },
          ]
        : []),
    ]);
const request: fc.Arbitrary<NeutralRequest> = fc
  .record({
    system: fc.array(word, { maxLength: 1 }),
    turns: fc.tuple(turn(0), turn(1)),
    last: word,
    toolChoice: fc.constantFrom(
      { type: 'none' as const },
      { type: 'auto' as const },
      { type: 'required' as const },
      { type: 'named' as const, name: 'f' },
    ),
    parallelToolCalls: fc.constantFrom(undefined, false),
    maxOutputTokens: fc.integer({ min: 1, max: 9999 }),
    temperature: fc.constantFrom(undefined, 0, 0.5),
    stop: fc.constantFrom([], ['END']),
    strict: fc.constantFrom(undefined, true as const),
    stream: fc.boolean(),
  })
  .map(({ turns, last, strict, ...rest }) => ({
    model: 'm',
    ...rest,
    messages: [...turns.flat(), { role: 'user', parts: [{ type: 'text', text: last }] }],
    tools: [{ name: 'f', description: 'd', schema: { type: 'object', properties: { q: { type: 'string' } } }, strict }],
    user: 'u',
  }));

/** What must not change: not where a part stood in the client's body; a choice of no tool makes the parallel switch moot. */
function meaning({ model: _model, parallelToolCalls, toolChoice, ...rest }: NeutralRequest): unknown {
  const clean = JSON.stringify(
    { ...rest, toolChoice, parallelToolCalls: toolChoice?.type === 'none' ? undefined : parallelToolCalls },
    (key, value: unknown) =>
      key === 'at'
        ? undefined
        : value !== null && typeof value === 'object' && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
          : value,
  );
  return JSON.parse(clean) as unknown;
}

const wire = (body: unknown): unknown => JSON.parse(JSON.stringify(body)) as unknown;
const CHAT = { model: 'm', maxTokensField: 'max_completion_tokens', reasoning: true, sampling: true } as const;
const MESSAGES = { model: 'm', defaultMaxTokens: 100, thinking: 'adaptive', sampling: true } as const;

describe('a request keeps its meaning', () => {
  test('through Chat Completions and Messages and back', () => {
    fc.assert(
      fc.property(request, (original) => {
        const fromChat = decodeChatRequest(wire(encodeChatRequest(original, CHAT)));
        expect(meaning(fromChat)).toEqual(meaning(original));
        const fromMessages = decodeMessagesRequest(wire(encodeMessagesRequest(fromChat, MESSAGES)));
        expect(meaning(fromMessages)).toEqual(meaning(original));
      }),
    );
  });

  test('through Responses', () => {
    fc.assert(
      fc.property(request, (original) => {
        const plain = { ...original, stop: [] };
        const read = decodeResponsesRequest(
          wire(encodeResponsesRequest(plain, { model: 'm', reasoning: true, sampling: true })),
        );
        // OpenAI demands a detail for each picture: the one that leaves it to the model.
        expect(meaning(read)).toEqual(
          JSON.parse(JSON.stringify(meaning(plain)).replaceAll('"type":"image"}', '"type":"image","detail":"auto"}')),
        );
      }),
    );
  });
});

const ANSWER: Answer = { key: 'k', model: 'm', createdSeconds: 1, includeUsage: true, request: {} };

describe('an answer keeps its meaning', () => {
  test.each(['chat', 'messages', 'responses'] as const)(
    'as a stream of %s, in any chunks, and whole',
    (protocol: Protocol) => {
      fc.assert(
        fc.property(
          neutralAnswer,
          fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 6 }),
          (answer, lengths) => {
            const encoder = createStreamEncoder(protocol, ANSWER);
            const bytes = Buffer.from(
              toEvents(answer)
                .map((event) => encoder.encode(event))
                .join(''),
            );
            const decoder = PROTOCOLS[protocol].createStreamDecoder();
            const events: NeutralEvent[] = [
              ...chunk(bytes, lengths).flatMap((piece) => decoder.feed(piece)),
              ...decoder.end(),
            ];
            const read = collectResponse(events);
            expect(read).toMatchObject(answer);
            if ('kind' in read) return;
            const whole = collectResponse(
              PROTOCOLS[protocol].decodeResponse(JSON.parse(encodeResponse(protocol, read, ANSWER))),
            );
            expect(whole).toMatchObject(answer);
          },
        ),
      );
    },
  );
});
