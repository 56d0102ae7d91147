// The output of the encoders matches the printed contract of /v1, whole and streamed.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { neutralAnswer, type NeutralAnswer, toEvents } from '../../../../test/support/models/neutral-answers.ts';
import { collectResponse } from '../../../model-providers/codecs/collect-response.ts';
import { type Answer, createStreamEncoder, encodeResponse } from '../../../model-providers/codecs/encode-answer.ts';
import type { NeutralEvent, Protocol } from '../../../model-providers/codecs/neutral.ts';
import { chatCompletion, chatCompletionChunk } from './chat-completions.ts';
import { message, messageEvent } from './messages.ts';
import { responseEvent, responseObject } from './responses.ts';

const SCHEMAS = {
  chat: { whole: chatCompletion, event: chatCompletionChunk },
  responses: { whole: responseObject, event: responseEvent },
  messages: { whole: message, event: messageEvent },
} as const satisfies Record<Protocol, { whole: z.ZodType; event: z.ZodType }>;

const ANSWER: Answer = {
  key: 'abc',
  model: 'asked-model',
  createdSeconds: 1_700_000_000,
  includeUsage: true,
  request: { model: 'asked-model', instructions: 'be kind', tools: [], metadata: { a: 'b' } },
};
const THOUGHT: NeutralAnswer = {
  parts: [
    { type: 'reasoning', text: 'Hm.', signature: 'sig' },
    { type: 'refusal', text: 'No.' },
  ],
  usage: { inputTokens: 3, outputTokens: 2, cacheReadTokens: 1, cacheWriteTokens: 0, reasoningTokens: 1 },
  finish: 'content-filter',
};

/** Usage comes at the end; a Responses event of a kind that the contract does not name has no response. */
const MAY_LACK = ['usage', 'response'];

function dataOf(protocol: Protocol, events: readonly NeutralEvent[]): unknown[] {
  const encoder = createStreamEncoder(protocol, ANSWER);
  const lines = events
    .map((event) => encoder.encode(event))
    .join('')
    .split('\n');
  return lines
    .filter((line) => line.startsWith('data: ') && line !== 'data: [DONE]')
    .map((line) => JSON.parse(line.slice('data: '.length)) as unknown);
}

const faultsOf = (schema: z.ZodType, value: unknown): unknown[] => schema.safeParse(value).error?.issues ?? [];

describe.each(['chat', 'responses', 'messages'] as const)('an answer of %s', (protocol) => {
  const { whole, event } = SCHEMAS[protocol];

  it('fits its schema', () => {
    const check = (answer: NeutralAnswer): void => {
      const response = collectResponse(toEvents(answer));
      if ('kind' in response) throw new Error(response.message);
      expect(faultsOf(whole, JSON.parse(encodeResponse(protocol, response, ANSWER)))).toEqual([]);
    };
    check(THOUGHT);
    fc.assert(fc.property(neutralAnswer, check));
  });

  it('matches the schema of its events', () => {
    const check = (answer: NeutralAnswer): void => {
      expect(dataOf(protocol, toEvents(answer)).flatMap((data) => faultsOf(event, data))).toEqual([]);
    };
    check(THOUGHT);
    fc.assert(fc.property(neutralAnswer, check));
  });

  it('does not fit when something is missing', () => {
    const [first] = dataOf(protocol, toEvents(THOUGHT)) as [Record<string, unknown>];
    for (const field of Object.keys(first)) {
      const { [field]: _left, ...rest } = first;
      expect({ field, faults: faultsOf(event, rest).length > 0 }).toEqual({ field, faults: !MAY_LACK.includes(field) });
    }
  });
});
