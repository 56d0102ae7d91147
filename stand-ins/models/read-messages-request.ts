// POST /v1/messages
import { z } from 'zod';
import type { DemoRequest, Item } from './demo-request.ts';
import { parseFields } from './parse-fields.ts';
import { content, type Content, textOf, userItem } from './read-content.ts';

const schema = z.record(z.string(), z.unknown());

const messagesRequest = z.looseObject({
  model: z.string().min(1),
  max_tokens: z.number().int().min(0),
  messages: z.array(z.looseObject({ role: z.enum(['user', 'assistant', 'system']), content })).min(1),
  system: content.optional(),
  tools: z
    .array(z.looseObject({ name: z.string(), type: z.string().nullish(), input_schema: schema.optional() }))
    .optional(),
  tool_choice: z
    .looseObject({
      type: z.enum(['auto', 'any', 'tool', 'none']),
      name: z.string().optional(),
      disable_parallel_tool_use: z.boolean().optional(),
    })
    .optional(),
  output_config: z
    .looseObject({ format: z.looseObject({ type: z.string(), schema: schema.optional() }).nullish() })
    .optional(),
  thinking: z.looseObject({ type: z.string() }).nullish(),
  stop_sequences: z.array(z.string()).optional(),
  stream: z.boolean().optional(),
});

/** Counting does not need a limit for the answer. */
const countRequest = messagesRequest.extend({ max_tokens: z.number().int().min(0).optional() });

export function readMessagesRequest(input: unknown): DemoRequest {
  return toAsked(parseFields(messagesRequest, input));
}

export function readCountRequest(input: unknown): DemoRequest {
  return toAsked(parseFields(countRequest, input));
}

function toAsked(body: z.output<typeof countRequest>): DemoRequest {
  const items = body.messages.flatMap((one) => toItems(one.role, one.content));
  const choice = body.tool_choice;
  const format = body.output_config?.format;
  return {
    model: body.model,
    system: [
      textOf(body.system),
      ...body.messages.flatMap((one) => (one.role === 'system' ? [textOf(one.content)] : [])),
    ]
      .filter(Boolean)
      .join('\n'),
    items,
    // Anthropic's own tools have no schema; a demo model knows only the shell.
    tools: (body.tools ?? []).flatMap((tool) =>
      tool.input_schema
        ? [{ name: tool.name, schema: tool.input_schema }]
        : tool.name === 'bash'
          ? [{ name: 'bash', schema: {} }]
          : [],
    ),
    toolChoice:
      choice?.type === 'tool'
        ? { name: choice.name ?? '' }
        : choice?.type === 'any'
          ? 'required'
          : (choice?.type ?? 'auto'),
    parallelCalls: !(choice?.disable_parallel_tool_use ?? false),
    schema: format?.type === 'json_schema' ? (format.schema ?? {}) : undefined,
    maxTokens: body.max_tokens,
    stops: body.stop_sequences ?? [],
    thinks: body.thinking?.type === 'enabled',
    stream: body.stream ?? false,
    streamUsage: true,
  };
}

function toItems(role: 'user' | 'assistant' | 'system', value: Content): Item[] {
  if (role === 'system') return [];
  if (typeof value === 'string') return [role === 'user' ? userItem(value) : { kind: 'assistant', text: value }];
  if (role === 'assistant') {
    const calls = value.flatMap((block): Item[] =>
      block.type === 'tool_use' ? [{ kind: 'call', id: String(block.id), name: String(block.name) }] : [],
    );
    return [{ kind: 'assistant', text: textOf(value) }, ...calls];
  }
  const results = value.flatMap((block): Item[] =>
    block.type === 'tool_result'
      ? [{ kind: 'result', id: String(block.tool_use_id), text: textOf(content.safeParse(block.content).data) }]
      : [],
  );
  // Text next to tool results is not a new question: the previous one still has to be answered.
  return results.length > 0 ? results : [userItem(value)];
}
