// OpenAI's Responses as this service implements them. Items of other kinds are passed on unchanged.
import { z } from 'zod';
import { RESPONSES_FIELDS, responseToolChoice } from '../../../model-providers/codecs/fields/responses-fields.ts';
import { responseInputItem } from '../../../model-providers/codecs/fields/responses-items.ts';
import { responseTools } from '../../../model-providers/codecs/fields/responses-tools.ts';
import { printOf } from '../../../model-providers/codecs/fields/rows.ts';

const itemStatus = z.enum(['in_progress', 'completed', 'incomplete']);
const outputPart = z
  .discriminatedUnion('type', [
    z.looseObject({ type: z.literal('output_text'), text: z.string(), annotations: z.array(z.looseObject({})) }),
    z.looseObject({ type: z.literal('refusal'), refusal: z.string() }),
  ])
  .meta({ id: 'ResponseContentPart' });

const responseItem = z
  .union([
    z.looseObject({
      type: z.literal('message'),
      id: z.string(),
      status: itemStatus,
      role: z.literal('assistant'),
      content: z.array(outputPart),
    }),
    z.looseObject({
      type: z.literal('reasoning'),
      id: z.string(),
      summary: z.array(z.looseObject({ type: z.literal('summary_text'), text: z.string() })),
      encrypted_content: z.string().nullish(),
    }),
    z.looseObject({
      type: z.literal('function_call'),
      id: z.string().optional(),
      status: itemStatus.optional(),
      call_id: z.string(),
      name: z.string(),
      arguments: z.string(),
    }),
    z.looseObject({ type: z.string() }).describe('An item of another kind, such as custom_tool_call.'),
  ])
  .meta({ id: 'ResponseItem' });

export const responseRequest = printOf(RESPONSES_FIELDS.request).meta({
  id: 'ResponseRequest',
  examples: [{ model: 'service/auto', input: 'Say hello.' }],
});

const usage = z.looseObject({
  input_tokens: z.number().int(),
  input_tokens_details: z.looseObject({ cached_tokens: z.number().int().optional() }).nullish(),
  output_tokens: z.number().int(),
  output_tokens_details: z.looseObject({ reasoning_tokens: z.number().int().optional() }).nullish(),
  total_tokens: z.number().int(),
});

export const responseObject = z
  .looseObject({
    id: z.string(),
    object: z.literal('response'),
    created_at: z.number().describe('Seconds since 1970.'),
    model: z.string(),
    status: z.enum(['in_progress', 'completed', 'incomplete', 'failed', 'cancelled', 'queued']),
    output: z.array(responseItem),
    error: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
    incomplete_details: z.looseObject({ reason: z.string() }).nullable(),
    instructions: z.union([z.string(), z.array(responseInputItem)]).nullish(),
    previous_response_id: z.string().nullish(),
    store: z.boolean().nullish(),
    tools: responseTools,
    tool_choice: responseToolChoice,
    metadata: z.record(z.string(), z.string()).nullish(),
    usage: usage.nullish(),
  })
  .meta({ id: 'ResponseObject' });

const sequence = { sequence_number: z.number().int() };
const place = { ...sequence, item_id: z.string(), output_index: z.number().int() };

/** The data of one event; the event's name is its `type`. */
export const responseEvent = z
  .union([
    z.looseObject({
      type: z.enum([
        'response.created',
        'response.in_progress',
        'response.completed',
        'response.incomplete',
        'response.failed',
      ]),
      ...sequence,
      response: responseObject,
    }),
    z.looseObject({
      type: z.enum(['response.output_item.added', 'response.output_item.done']),
      ...sequence,
      output_index: z.number().int(),
      item: responseItem,
    }),
    z.looseObject({
      type: z.enum(['response.content_part.added', 'response.content_part.done']),
      ...place,
      content_index: z.number().int(),
      part: outputPart,
    }),
    z.looseObject({
      type: z.enum(['response.output_text.delta', 'response.refusal.delta']),
      ...place,
      content_index: z.number().int(),
      delta: z.string(),
    }),
    z.looseObject({
      type: z.enum(['response.reasoning_summary_text.delta', 'response.function_call_arguments.delta']),
      ...place,
      delta: z.string(),
    }),
    z.looseObject({
      type: z.literal('error'),
      ...sequence,
      code: z.string().nullable(),
      message: z.string(),
      param: z.string().nullable(),
    }),
    z
      .looseObject({ type: z.string(), ...sequence })
      .describe('An event of another kind, such as response.output_text.done.'),
  ])
  .meta({ id: 'ResponseEvent' });
