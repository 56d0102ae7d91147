import { AppError } from '../../../base/errors.ts';
import { fitUserId } from '../fit-user-id.ts';
import type { NeutralRequest, OutputFormat, ToolChoice } from '../neutral.ts';
import type { Loose } from '../read-fields.ts';
import { effortOf } from '../reasoning-effort.ts';
import { encodeChatMessages } from './encode-messages.ts';

export interface ChatTarget {
  /** The model's id at the provider. */
  readonly model: string;
  /** The field for the output limit: OpenAI takes the first, most other accounts only the second. */
  readonly maxTokensField: 'max_completion_tokens' | 'max_tokens';
  /** Whether the model takes `reasoning_effort`. */
  readonly reasoning: boolean;
  /** Whether the model takes `temperature` and `top_p`; OpenAI's reasoning models do not. */
  readonly sampling: boolean;
}

const MAX_STOP = 4;
export const MAX_USER = 64;

export function encodeChatRequest(request: NeutralRequest, target: ChatTarget): Loose {
  if (request.stop.length > MAX_STOP)
    throw new AppError('invalid_request', { stop: `this model takes at most ${MAX_STOP} stop sequences` });
  const body: Record<string, unknown> = { model: target.model, messages: encodeChatMessages(request) };
  if (request.tools.length > 0) {
    body['tools'] = request.tools.map(({ name, description, schema, strict }) => ({
      type: 'function',
      function: {
        name,
        ...(description === undefined ? {} : { description }),
        parameters: schema,
        ...(strict ? { strict } : {}),
      },
    }));
    if (request.toolChoice !== undefined) body['tool_choice'] = encodeChoice(request.toolChoice);
    if (request.parallelToolCalls !== undefined) body['parallel_tool_calls'] = request.parallelToolCalls;
  }
  if (request.maxOutputTokens !== undefined) body[target.maxTokensField] = request.maxOutputTokens;
  if (target.sampling && request.temperature !== undefined) body['temperature'] = request.temperature;
  if (target.sampling && request.topP !== undefined) body['top_p'] = request.topP;
  if (request.stop.length > 0) body['stop'] = request.stop;
  if (request.seed !== undefined) body['seed'] = request.seed;
  if (request.format !== undefined) body['response_format'] = encodeFormat(request.format);
  const effort = target.reasoning ? effortOf(request.reasoning) : undefined;
  if (effort !== undefined) body['reasoning_effort'] = effort;
  if (request.user !== undefined) body['user'] = fitUserId(request.user, MAX_USER);
  if (request.stream) {
    body['stream'] = true;
    body['stream_options'] = { include_usage: true };
  }
  return body;
}

function encodeChoice(choice: ToolChoice): unknown {
  return choice.type === 'named' ? { type: 'function', function: { name: choice.name } } : choice.type;
}

function encodeFormat(format: OutputFormat): Loose {
  if (format.type === 'json') return { type: 'json_object' };
  const { name, schema, strict, description } = format;
  return {
    type: 'json_schema',
    json_schema: { name, schema, strict, ...(description === undefined ? {} : { description }) },
  };
}
