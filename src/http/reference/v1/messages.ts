// Anthropic's Messages as this service implements them. Blocks of other kinds are passed on unchanged.
import { z } from 'zod';
import { EFFORTS } from '../../../contract/models.ts';

const cacheControl = { cache_control: z.looseObject({ type: z.literal('ephemeral') }).nullish() };
const textBlock = z.looseObject({ type: z.literal('text'), text: z.string(), ...cacheControl });
const source = z.looseObject({
  type: z.enum(['base64', 'url', 'text', 'content', 'file']),
  media_type: z.string().optional(),
  data: z.string().optional(),
  url: z.string().optional(),
  file_id: z.string().optional(),
});
const toolUse = z.looseObject({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown() });
const thinking = z.looseObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() });
const redactedThinking = z.looseObject({ type: z.literal('redacted_thinking'), data: z.string() });

const inputBlock = z
  .union([
    textBlock,
    z.looseObject({ type: z.enum(['image', 'document']), source, ...cacheControl }),
    toolUse,
    z.looseObject({
      type: z.literal('tool_result'),
      tool_use_id: z.string(),
      content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).optional(),
      is_error: z.boolean().optional(),
      ...cacheControl,
    }),
    thinking,
    redactedThinking,
    z.looseObject({ type: z.string() }).describe('A block of another kind, such as search_result.'),
  ])
  .meta({ id: 'MessageInputBlock' });

const asked = {
  model: z.string().describe('An id from GET /v1/models, or an alias of one.'),
  messages: z
    .array(
      z.looseObject({
        role: z.enum(['user', 'assistant', 'system']),
        content: z.union([z.string(), z.array(inputBlock)]),
      }),
    )
    .min(1),
  system: z.union([z.string(), z.array(textBlock)]).optional(),
  tools: z
    .array(
      z.looseObject({
        name: z.string().optional(),
        type: z.string().nullish(),
        description: z.string().optional(),
        input_schema: z.looseObject({}).optional(),
        ...cacheControl,
      }),
    )
    .optional(),
  tool_choice: z
    .looseObject({
      type: z.enum(['auto', 'any', 'tool', 'none']),
      name: z.string().optional(),
      disable_parallel_tool_use: z.boolean().optional(),
    })
    .optional(),
  thinking: z
    .looseObject({
      type: z.string().describe('enabled, disabled or adaptive.'),
      budget_tokens: z.number().int().optional(),
      display: z.string().nullish(),
    })
    .optional(),
  output_config: z
    .looseObject({
      effort: z.enum(EFFORTS).nullish(),
      format: z.looseObject({ type: z.literal('json_schema'), schema: z.looseObject({}) }).nullish(),
    })
    .optional(),
};

export const messageRequest = z
  .looseObject({
    ...asked,
    max_tokens: z.number().int(),
    stream: z.boolean().optional().describe('Stream the answer as events.'),
    temperature: z.number().min(0).max(1).optional(),
    top_p: z.number().min(0).max(1).optional(),
    stop_sequences: z.array(z.string()).optional(),
    metadata: z.looseObject({ user_id: z.string().nullish() }).optional(),
  })
  .meta({
    id: 'MessageRequest',
    examples: [{ model: 'service/auto', max_tokens: 256, messages: [{ role: 'user', content: 'Say hello.' }] }],
  });

export const countTokensRequest = z.looseObject(asked).meta({ id: 'CountTokensRequest' });
export const tokenCount = z.looseObject({ input_tokens: z.number().int() }).meta({ id: 'TokenCount' });

const outputBlock = z
  .union([
    z.looseObject({ type: z.literal('text'), text: z.string() }),
    toolUse,
    thinking,
    redactedThinking,
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
