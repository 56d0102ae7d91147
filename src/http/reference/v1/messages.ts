// Anthropic's Messages as this service implements them. Blocks of other kinds are passed on unchanged.
import { z } from 'zod';
import { MESSAGES_FIELDS } from '../../../model-providers/codecs/fields/messages-fields.ts';
import { printOf } from '../../../model-providers/codecs/fields/rows.ts';

export const messageRequest = printOf(MESSAGES_FIELDS.request).meta({
  id: 'MessageRequest',
  examples: [{ model: 'service/auto', max_tokens: 256, messages: [{ role: 'user', content: 'Say hello.' }] }],
});

const { model, messages, system, tools, tool_choice, thinking, output_config } = MESSAGES_FIELDS.request.rows;
export const countTokensRequest = printOf({
  ...MESSAGES_FIELDS.request,
  rows: { model, messages, system, tools, tool_choice, thinking, output_config },
}).meta({ id: 'CountTokensRequest' });
export const tokenCount = z.looseObject({ input_tokens: z.number().int() }).meta({ id: 'TokenCount' });

const outputBlock = z
  .union([
    z.looseObject({ type: z.literal('text'), text: z.string() }),
    z.looseObject({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown() }),
    z.looseObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
    z.looseObject({ type: z.literal('redacted_thinking'), data: z.string() }),
    z.looseObject({ type: z.string() }).describe('A block of another kind, created by the provider.'),
  ])
  .meta({ id: 'MessageOutputBlock' });

const count = z.number().int().nullish();
const usage = z
  .looseObject({
    input_tokens: count,
    output_tokens: z.number().int(),
    cache_creation_input_tokens: count,
    cache_read_input_tokens: count,
  })
  .meta({ id: 'MessageUsage' });
const stopReason = z
  .enum([
    'end_turn',
    'max_tokens',
    'stop_sequence',
    'tool_use',
    'pause_turn',
    'refusal',
    'model_context_window_exceeded',
  ])
  .nullable();

export const message = z
  .looseObject({
    id: z.string(),
    type: z.literal('message'),
    role: z.literal('assistant'),
    model: z.string(),
    content: z.array(outputBlock),
    stop_reason: stopReason,
    stop_sequence: z.string().nullable(),
    usage,
  })
  .meta({ id: 'Message' });

const index = { index: z.number().int() };

/** The data of one event; the event's name is its `type`. */
export const messageEvent = z
  .union([
    z.looseObject({ type: z.literal('message_start'), message }),
    z.looseObject({ type: z.literal('content_block_start'), ...index, content_block: outputBlock }),
    z.looseObject({
      type: z.literal('content_block_delta'),
      ...index,
      delta: z.looseObject({
        type: z.string().describe('text_delta, thinking_delta, signature_delta, input_json_delta or citations_delta.'),
        text: z.string().optional(),
        thinking: z.string().optional(),
        signature: z.string().optional(),
        partial_json: z.string().optional(),
      }),
    }),
    z.looseObject({ type: z.literal('content_block_stop'), ...index }),
    z.looseObject({
      type: z.literal('message_delta'),
      delta: z.looseObject({ stop_reason: stopReason, stop_sequence: z.string().nullable() }),
      usage,
    }),
    z.looseObject({ type: z.enum(['message_stop', 'ping']) }),
    z.looseObject({ type: z.literal('error'), error: z.looseObject({ type: z.string(), message: z.string() }) }),
  ])
  .meta({ id: 'MessageEvent' });
