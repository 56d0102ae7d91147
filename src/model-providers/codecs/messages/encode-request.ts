import { AppError } from '../../../base/errors.ts';
import { fitUserId } from '../fit-user-id.ts';
import type { JsonSchema, NeutralRequest, NeutralTool, OutputFormat, ToolChoice } from '../neutral.ts';
import type { Loose } from '../read-fields.ts';
import { encodeCache, encodeConversation } from './encode-conversation.ts';
import { encodeThinking, type ThinkingStyle } from './encode-thinking.ts';

export interface MessagesTarget {
  /** The model's id at the provider. */
  readonly model: string;
  /** Anthropic requires an output limit; this one is used if the client gave none. */
  readonly defaultMaxTokens: number;
  /**
   * How the model is configured to think: adaptively, at an effort (current models), by a token budget (earlier ones),
   * or not at all.
   */
  readonly thinking: ThinkingStyle;
  /** Whether the model takes `temperature` and `top_p`; Anthropic's current models refuse both. */
  readonly sampling: boolean;
}

const MAX_USER = 256;

export function encodeMessagesRequest(request: NeutralRequest, target: MessagesTarget): Loose {
  if (request.stop.some((text) => text.trim() === ''))
    throw new AppError('invalid_request', {
      stop: 'each stop sequence must contain more than white space for this model',
    });
  const maxTokens = request.maxOutputTokens ?? target.defaultMaxTokens;
  const { system, messages } = encodeConversation(request);
  const instructions = [...system, ...formatInstructions(request.format).map((text) => ({ type: 'text', text }))];
  const { thinking, effort } = encodeThinking(request, target.thinking, maxTokens);
  const format =
    request.format?.type === 'json-schema' && request.format.strict
      ? { type: 'json_schema', schema: describedSchema(request.format) }
      : undefined;

  const body: Record<string, unknown> = { model: target.model, max_tokens: maxTokens, messages };
  if (instructions.length > 0) body['system'] = instructions;
  if (request.tools.length > 0) {
    body['tools'] = request.tools.map(encodeTool);
    const choice = encodeChoice(request.toolChoice, request.parallelToolCalls);
    if (choice !== undefined) body['tool_choice'] = choice;
  } else Object.assign(body, encodeCalledTools(request));
  if (thinking !== undefined) body['thinking'] = thinking;
  if (effort !== undefined || format !== undefined)
    body['output_config'] = {
      ...(effort === undefined ? {} : { effort }),
      ...(format === undefined ? {} : { format }),
    };
  if (target.sampling && (thinking?.['type'] ?? 'disabled') === 'disabled')
    Object.assign(body, encodeSampling(request));
  if (request.stop.length > 0) body['stop_sequences'] = request.stop;
  if (request.user !== undefined) body['metadata'] = { user_id: fitUserId(request.user, MAX_USER) };
  Object.assign(body, encodeWholeCache(request, [...instructions, ...messages.flatMap(({ content }) => content)]));
  if (request.stream) body['stream'] = true;
  return body;
}

/**
 * Anthropic requires every tool that the conversation has called to be declared, even in a request that offers none,
 * such as one for a summary.
 */
function encodeCalledTools({ messages }: NeutralRequest): Loose {
  const called = new Set(
    messages.flatMap((message) =>
      message.role === 'assistant'
        ? message.parts.flatMap((part) => (part.type === 'tool-call' ? [part.name] : []))
        : [],
    ),
  );
  return called.size === 0
    ? {}
    : { tools: [...called].map((name) => ({ name, input_schema: { type: 'object' } })), tool_choice: { type: 'none' } };
}

/** One mark, which the provider moves with the end of the conversation, where the client has set none itself. */
function encodeWholeCache({ cache, tools }: NeutralRequest, blocks: readonly Loose[]): Loose {
  const isMarked = tools.some((tool) => tool.cache) || blocks.some((block) => 'cache_control' in block);
  return isMarked ? {} : encodeCache(cache);
}

/** OpenAI's range is twice as wide, and Anthropic takes only one of the two: temperature takes precedence. */
function encodeSampling({ temperature, topP }: NeutralRequest): Loose {
  if (temperature !== undefined && temperature !== 1) return { temperature: Math.min(temperature, 1) };
  return topP !== undefined && topP !== 1 ? { top_p: topP } : {};
}

function encodeTool({ name, description, schema, strict, cache }: NeutralTool): Loose {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    input_schema: { type: 'object', ...schema },
    ...(strict ? { strict } : {}),
    ...encodeCache(cache),
  };
}

function encodeChoice(choice: ToolChoice | undefined, parallel: boolean | undefined): Loose | undefined {
  if (choice?.type === 'none') return { type: 'none' };
  const serial = parallel === false ? { disable_parallel_tool_use: true } : {};
  if (choice?.type === 'named') return { type: 'tool', name: choice.name, ...serial };
  if (choice?.type === 'required') return { type: 'any', ...serial };
  return choice === undefined && parallel !== false ? undefined : { type: 'auto', ...serial };
}

/** Anthropic enforces a shape only with a strict schema; anything looser becomes an instruction. */
function formatInstructions(format: OutputFormat | undefined): string[] {
  if (format === undefined || (format.type === 'json-schema' && format.strict)) return [];
  const rule = 'Answer with one JSON object and nothing else: no explanation, no code fence.';
  return [
    format.type === 'json'
      ? rule
      : `${rule} It must match this JSON Schema: ${JSON.stringify(describedSchema(format))}`,
  ];
}

/** The client's description of the whole shape; Anthropic has no field for it, so it goes into the schema. */
function describedSchema({ schema, description }: Extract<OutputFormat, { type: 'json-schema' }>): JsonSchema {
  return description === undefined ? schema : { description, ...schema };
}
