import { AppError } from '../../../base/errors.ts';
import { MAX_USER } from '../chat/encode-request.ts';
import { fitUserId } from '../fit-user-id.ts';
import type { NeutralRequest, OutputFormat } from '../neutral.ts';
import type { Loose } from '../read-fields.ts';
import { effortOf } from '../reasoning-effort.ts';
import { encodeResponsesInput } from './encode-input.ts';

export interface ResponsesTarget {
  readonly model: string;
  /** Whether the model takes `reasoning`. */
  readonly reasoning: boolean;
  /** Whether the model takes `temperature` and `top_p`. */
  readonly sampling: boolean;
}

/** For requests that OpenAI takes only on this API. Nothing is stored there, because the client did not ask for it. */
export function encodeResponsesRequest(request: NeutralRequest, target: ResponsesTarget): Loose {
  if (request.stop.length > 0) throw new AppError('invalid_request', { stop: 'this model takes no stop sequences' });
  const body: Record<string, unknown> = { model: target.model, input: encodeResponsesInput(request), store: false };
  if (request.system.length > 0) body['instructions'] = request.system.join('\n\n');
  if (request.tools.length > 0) {
    body['tools'] = request.tools.map(({ name, description, schema, strict }) => ({
      type: 'function',
      name,
      ...(description === undefined ? {} : { description }),
      parameters: schema,
      strict: strict ?? false,
    }));
    if (request.toolChoice !== undefined)
      body['tool_choice'] =
        request.toolChoice.type === 'named'
          ? { type: 'function', name: request.toolChoice.name }
          : request.toolChoice.type;
    if (request.parallelToolCalls !== undefined) body['parallel_tool_calls'] = request.parallelToolCalls;
  }
  if (request.maxOutputTokens !== undefined) body['max_output_tokens'] = request.maxOutputTokens;
  if (target.sampling && request.temperature !== undefined) body['temperature'] = request.temperature;
  if (target.sampling && request.topP !== undefined) body['top_p'] = request.topP;
  if (request.format !== undefined) body['text'] = { format: encodeFormat(request.format) };
  const effort = effortOf(request.reasoning);
  if (target.reasoning && (effort !== undefined || request.reasoning?.summary))
    body['reasoning'] = {
      ...(effort === undefined ? {} : { effort }),
      ...(request.reasoning?.summary ? { summary: 'auto' } : {}),
    };
  if (request.user !== undefined) body['user'] = fitUserId(request.user, MAX_USER);
  if (request.stream) body['stream'] = true;
  return body;
}

function encodeFormat(format: OutputFormat): Loose {
  if (format.type === 'json') return { type: 'json_object' };
  const { name, schema, strict, description } = format;
  return { type: 'json_schema', name, schema, strict, ...(description === undefined ? {} : { description }) };
}
