// POST /v1/chat/completions
import { z } from 'zod';
import type { DemoRequest, Item } from './demo-request.ts';
import { parseFields } from './parse-fields.ts';
import { content, textOf, userItem } from './read-content.ts';

const schema = z.record(z.string(), z.unknown());

const message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.enum(['system', 'developer']), content }),
  z.looseObject({ role: z.literal('user'), content }),
  z.looseObject({
    role: z.literal('assistant'),
    content: content.nullish(),
    tool_calls: z
      .array(
        z.looseObject({
          id: z.string(),
          type: z.string(),
          function: z.looseObject({ name: z.string(), arguments: z.string() }).optional(),
        }),
      )
      .nullish(),
  }),
  z.looseObject({ role: z.literal('tool'), tool_call_id: z.string(), content }),
]);

const chatRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  tools: z
    .array(
      z.looseObject({
        type: z.string(),
        function: z.looseObject({ name: z.string(), parameters: schema.nullish() }).optional(),
      }),
    )
    .nullish(),
  tool_choice: z
    .union([
      z.enum(['auto', 'none', 'required']),
      z.looseObject({ function: z.looseObject({ name: z.string() }).optional() }),
    ])
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  response_format: z
    .looseObject({ type: z.string(), json_schema: z.looseObject({ schema: schema.nullish() }).optional() })
    .nullish(),
  max_tokens: z.number().int().min(1).nullish(),
  max_completion_tokens: z.number().int().min(1).nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  n: z.literal(1, 'A demo model gives one choice').nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
});

export function readChatRequest(input: unknown): DemoRequest {
  const body = parseFields(chatRequest, input);
  const items = body.messages.flatMap(toItems);
  const choice = body.tool_choice ?? 'auto';
  const format = body.response_format;
  return {
    model: body.model,
    system: body.messages
      .flatMap((one) => (one.role === 'system' || one.role === 'developer' ? [textOf(one.content)] : []))
      .join('\n'),
    items,
    tools: (body.tools ?? []).flatMap((tool) =>
      tool.function ? [{ name: tool.function.name, schema: tool.function.parameters ?? {} }] : [],
    ),
    toolChoice: typeof choice === 'string' ? choice : choice.function ? { name: choice.function.name } : 'auto',
    parallelCalls: body.parallel_tool_calls ?? true,
    schema:
      format?.type === 'json_schema'
        ? (format.json_schema?.schema ?? {})
        : format?.type === 'json_object'
          ? {}
          : undefined,
    maxTokens: body.max_completion_tokens ?? body.max_tokens ?? undefined,
    stops: [body.stop ?? []].flat(),
    stream: body.stream ?? false,
    streamUsage: body.stream_options?.include_usage ?? false,
  };
}

function toItems(one: z.output<typeof message>): Item[] {
  switch (one.role) {
    case 'user':
      return [userItem(one.content)];
    case 'assistant':
      return [
        { kind: 'assistant', text: textOf(one.content) },
        ...(one.tool_calls ?? []).map(({ id, function: called }): Item => ({
          kind: 'call',
          id,
          name: called?.name ?? '',
        })),
      ];
    case 'tool':
      return [{ kind: 'result', id: one.tool_call_id, text: textOf(one.content) }];
    default:
      return [];
  }
}
