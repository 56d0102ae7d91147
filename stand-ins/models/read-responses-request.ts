// POST /v1/responses. Nothing is stored between requests, so a request that refers to an earlier response is refused as
// if that response had expired.
import { z } from 'zod';
import type { DemoRequest, Item, OfferedTool } from './demo-request.ts';
import { parseFields } from './parse-fields.ts';
import { content, textOf, userItem } from './read-content.ts';
import { badRequest } from './refusal.ts';

const schema = z.record(z.string(), z.unknown());

const ownTool = z.looseObject({ type: z.string(), name: z.string().optional(), parameters: schema.nullish() });
const tool = ownTool.extend({ tools: z.array(ownTool).optional() });

const inputItem = z.looseObject({
  type: z.string().default('message'),
  role: z.enum(['user', 'assistant', 'system', 'developer']).optional(),
  content: content.nullish(),
  call_id: z.string().optional(),
  name: z.string().optional(),
  output: content.optional(),
  tools: z.array(tool).optional(),
});

const responsesRequest = z.looseObject({
  model: z.string().min(1),
  input: z.union([z.string(), z.array(inputItem).min(1)]),
  instructions: z.string().nullish(),
  background: z.literal(false, 'A demo model answers at once').nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: z
    .union([z.enum(['auto', 'none', 'required']), z.looseObject({ type: z.string(), name: z.string().optional() })])
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  text: z.looseObject({ format: z.looseObject({ type: z.string(), schema: schema.nullish() }).nullish() }).nullish(),
  max_output_tokens: z.number().int().min(1).nullish(),
  stream: z.boolean().nullish(),
});

export function readResponsesRequest(input: unknown): DemoRequest {
  const body = parseFields(responsesRequest, input);
  const given =
    typeof body.input === 'string' ? [{ type: 'message', role: 'user' as const, content: body.input }] : body.input;
  const items = given.flatMap(toItems);
  const choice = body.tool_choice ?? 'auto';
  const format = body.text?.format;
  return {
    model: body.model,
    system: [
      body.instructions ?? '',
      ...given.flatMap((one) => (one.role === 'system' || one.role === 'developer' ? [textOf(one.content)] : [])),
    ]
      .filter(Boolean)
      .join('\n'),
    items,
    // Codex sends the tools of newer models as an item of the conversation.
    tools: [...(body.tools ?? []), ...given.flatMap((one) => ('tools' in one ? (one.tools ?? []) : []))].flatMap(
      (one) =>
        one.type === 'namespace' ? (one.tools ?? []).flatMap((inner) => toTools(inner, one.name)) : toTools(one),
    ),
    toolChoice:
      typeof choice === 'string' ? choice : choice.type === 'function' && choice.name ? { name: choice.name } : 'auto',
    parallelCalls: body.parallel_tool_calls ?? true,
    schema: format?.type === 'json_schema' ? (format.schema ?? {}) : format?.type === 'json_object' ? {} : undefined,
    maxTokens: body.max_output_tokens ?? undefined,
    stops: [],
    compacts: given.at(-1)?.type === 'compaction_trigger',
    stream: body.stream ?? false,
    streamUsage: true,
  };
}

/** Tools that the client runs; tools the provider would run are accepted and ignored. */
function toTools({ type, name, parameters }: z.output<typeof ownTool>, namespace?: string): OfferedTool[] {
  if (name === undefined || (type !== 'function' && type !== 'custom')) return [];
  return [
    {
      name,
      schema: parameters ?? {},
      ...(namespace === undefined ? {} : { namespace }),
      ...(type === 'custom' ? { freeform: true } : {}),
    },
  ];
}

function toItems(one: z.output<typeof inputItem>): Item[] {
  switch (one.type) {
    case 'message':
      if (one.content === undefined || one.content === null) throw badRequest('A message has content.', 'input');
      if (one.role === 'user') return [userItem(one.content)];
      return one.role === 'assistant' ? [{ kind: 'assistant', text: textOf(one.content) }] : [];
    case 'function_call':
    case 'custom_tool_call':
      return [{ kind: 'call', id: one.call_id ?? '', name: one.name ?? '' }];
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [{ kind: 'result', id: one.call_id ?? '', text: textOf(one.output) }];
    default:
      return [];
  }
}
