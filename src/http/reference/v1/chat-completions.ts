// OpenAI's Chat Completions as this service implements them. Objects are open: other fields of the protocol are handled
// as described in docs/users/chat-api.md.
import { z } from 'zod';
import { chatToolCall } from '../../../model-providers/codecs/fields/chat-messages.ts';
import { FIELD_TABLE } from '../../../model-providers/codecs/fields/field-table.ts';
import { printOf } from '../../../model-providers/codecs/fields/rows.ts';

export const chatCompletionRequest = printOf(FIELD_TABLE.chat.request).meta({
  id: 'ChatCompletionRequest',
  examples: [{ model: 'service/auto', messages: [{ role: 'user', content: 'Say hello.' }] }],
});

const usage = z
  .looseObject({
    prompt_tokens: z.number().int(),
    completion_tokens: z.number().int(),
    total_tokens: z.number().int(),
    prompt_tokens_details: z
      .looseObject({ cached_tokens: z.number().int().optional(), cache_write_tokens: z.number().int().optional() })
      .nullish(),
    completion_tokens_details: z.looseObject({ reasoning_tokens: z.number().int().optional() }).nullish(),
  })
  .meta({ id: 'ChatUsage' });

const finishReason = z.enum(['stop', 'length', 'tool_calls', 'content_filter', 'function_call']);
const head = { id: z.string(), created: z.number().int().describe('Seconds since 1970.'), model: z.string() };

export const chatCompletion = z
  .looseObject({
    ...head,
    object: z.literal('chat.completion'),
    choices: z.array(
      z.looseObject({
        index: z.number().int(),
        message: z.looseObject({
          role: z.literal('assistant'),
          content: z.string().nullable(),
          refusal: z.string().nullish(),
          reasoning_content: z.string().optional().describe('The reasoning of the model, if its provider returns it.'),
          tool_calls: z.array(chatToolCall).optional(),
        }),
        logprobs: z.looseObject({}).nullish(),
        finish_reason: finishReason,
      }),
    ),
    usage: usage.optional(),
  })
  .meta({ id: 'ChatCompletion' });

const callDelta = z.looseObject({
  index: z.number().int(),
  id: z.string().optional(),
  type: z.string().optional(),
  function: z.looseObject({ name: z.string().optional(), arguments: z.string().optional() }).optional(),
});

export const chatCompletionChunk = z
  .looseObject({
    ...head,
    object: z.literal('chat.completion.chunk'),
    choices: z.array(
      z.looseObject({
        index: z.number().int(),
        delta: z.looseObject({
          role: z.literal('assistant').optional(),
          content: z.string().nullish(),
          refusal: z.string().nullish(),
          reasoning_content: z.string().nullish(),
          tool_calls: z.array(callDelta).optional(),
        }),
        logprobs: z.looseObject({}).nullish(),
        finish_reason: finishReason.nullable(),
      }),
    ),
    usage: usage.nullish().describe('Only in the last chunk, with stream_options.include_usage.'),
  })
  .meta({
    id: 'ChatCompletionChunk',
    description:
      'The data of one event; the last one is [DONE]. An error after the answer has begun is sent as an event of the shape OpenAiError.',
  });
