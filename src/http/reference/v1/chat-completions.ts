// OpenAI's Chat Completions as this service implements them. Objects are open: other fields of the protocol are handled
// as described in docs/users/chat-api.md.
import { z } from 'zod';
import { EFFORTS } from '../../../contract/models.ts';

const textPart = z.looseObject({ type: z.literal('text'), text: z.string() });
const part = z.discriminatedUnion('type', [
  textPart,
  z.looseObject({
    type: z.literal('image_url'),
    image_url: z.looseObject({
      url: z.string().describe('A URL or a data: URL.'),
      detail: z.enum(['auto', 'low', 'high']).optional(),
    }),
  }),
  z.looseObject({
    type: z.literal('file'),
    file: z.looseObject({
      filename: z.string().optional(),
      file_data: z.string().optional(),
      file_id: z.string().optional(),
    }),
  }),
  z.looseObject({
    type: z.literal('input_audio'),
    input_audio: z.looseObject({ data: z.string(), format: z.string() }),
  }),
  z.looseObject({ type: z.literal('refusal'), refusal: z.string() }),
]);

const functionCall = z.looseObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.looseObject({ name: z.string(), arguments: z.string().describe('JSON, as the model wrote it.') }),
});
const customCall = z.looseObject({
  id: z.string(),
  type: z.literal('custom'),
  custom: z.looseObject({ name: z.string(), input: z.string() }),
});
const toolCall = z.discriminatedUnion('type', [functionCall, customCall]).meta({ id: 'ChatToolCall' });

const message = z
  .looseObject({
    role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
    content: z.union([z.string(), z.array(part)]).nullish(),
    name: z.string().optional(),
    tool_calls: z.array(toolCall).optional().describe('For an assistant message: the calls it made.'),
    tool_call_id: z.string().optional().describe('For a tool message: the call that it answers.'),
  })
  .meta({ id: 'ChatMessage' });

const tool = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('function'),
    function: z.looseObject({
      name: z.string(),
      description: z.string().optional(),
      parameters: z.looseObject({}).optional(),
      strict: z.boolean().nullish(),
    }),
  }),
  z.looseObject({
    type: z.literal('custom'),
    custom: z.looseObject({
      name: z.string(),
      description: z.string().optional(),
      format: z.looseObject({}).optional(),
    }),
  }),
]);

const toolChoice = z.union([z.enum(['none', 'auto', 'required']), z.looseObject({ type: z.string() })]);
const responseFormat = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object') }),
  z.looseObject({
    type: z.literal('json_schema'),
    json_schema: z.looseObject({
      name: z.string(),
      schema: z.looseObject({}).optional(),
      strict: z.boolean().nullish(),
    }),
  }),
]);

export const chatCompletionRequest = z
  .looseObject({
    model: z.string().describe('An id from GET /v1/models, or an alias of one.'),
    messages: z.array(message).min(1),
    stream: z.boolean().nullish().describe('Stream the answer as events.'),
    stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
    max_completion_tokens: z.number().int().nullish(),
    max_tokens: z.number().int().nullish().describe('The older name of max_completion_tokens.'),
    temperature: z.number().min(0).max(2).nullish(),
    top_p: z.number().min(0).max(1).nullish(),
    n: z.number().int().nullish(),
    stop: z.union([z.string(), z.array(z.string())]).nullish(),
    seed: z.number().int().nullish(),
    tools: z.array(tool).optional(),
    tool_choice: toolChoice.optional(),
    parallel_tool_calls: z.boolean().optional(),
    response_format: responseFormat.optional(),
    reasoning_effort: z.enum(EFFORTS).nullish(),
    user: z.string().optional(),
  })
  .meta({
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
          tool_calls: z.array(toolCall).optional(),
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
