// The response object around the output items. It repeats the client's settings, as OpenAI's does; they are serialized
// once, because the object is sent three times in a stream.
import type { Failure, FinishReason, NeutralTool, Usage } from '../neutral.ts';
import { toOpenAiStreamError } from '../encode-error.ts';
import { failureRow } from '../provider-failures.ts';
import { isObject, type Loose } from '../read-fields.ts';
import { toResponsesUsage } from '../usage.ts';

export interface ResponsesAnswer {
  readonly id: string;
  /** The model, as the client named it. */
  readonly model: string;
  readonly createdSeconds: number;
  /** The client's body, whose settings are repeated in the answer. */
  readonly request: Loose;
  /** Tools that the provider sees under another name, or as another kind, than the client. */
  readonly tools?: readonly NeutralTool[] | undefined;
  /** Whether the text is a summary in place of the conversation. */
  readonly compacts?: true | undefined;
}

export interface ResponseState {
  readonly finish?: FinishReason | undefined;
  readonly failure?: Failure | undefined;
  readonly usage?: Usage | undefined;
  /** The output items, each already JSON. */
  readonly output: readonly string[];
}

export function createEnvelope(answer: ResponsesAnswer): (state: ResponseState) => string {
  const fixed = JSON.stringify({
    id: answer.id,
    object: 'response',
    created_at: answer.createdSeconds,
    model: answer.model,
    ...echo(answer.request),
  }).slice(0, -1);
  return ({ finish, failure, usage, output }) => {
    const state = {
      status: statusOf(finish, failure),
      error:
        failure === undefined
          ? null
          : { code: failureRow(failure.kind).openai.failed, message: toOpenAiStreamError(failure).error.message },
      incomplete_details: incompleteDetails(finish),
      usage: usage === undefined ? null : toResponsesUsage(usage),
    };
    return `${fixed},${JSON.stringify(state).slice(1, -1)},"output":[${output.join(',')}]}`;
  };
}

/**
 * For the `error` event. OpenAI documents the fields next to the type but sends them inside `error`, and clients look
 * in either place.
 */
export function errorFields(failure: Failure): string {
  const { error } = toOpenAiStreamError(failure, 'responses');
  const { type: _, ...flat } = error;
  return JSON.stringify({ ...flat, error }).slice(1, -1);
}

export function isIncomplete(finish: FinishReason | undefined): boolean {
  return finish === 'length' || finish === 'content-filter';
}

function statusOf(finish: FinishReason | undefined, failure: ResponseState['failure']): string {
  if (failure !== undefined || finish === 'error') return 'failed';
  if (finish === undefined) return 'in_progress';
  return isIncomplete(finish) ? 'incomplete' : 'completed';
}

function incompleteDetails(finish: FinishReason | undefined): Loose | null {
  if (!isIncomplete(finish)) return null;
  return { reason: finish === 'length' ? 'max_output_tokens' : 'content_filter' };
}

function echo(request: Loose): Loose {
  const reasoning = isObject(request['reasoning']) ? request['reasoning'] : {};
  return {
    background: false,
    instructions: request['instructions'] ?? null,
    max_output_tokens: request['max_output_tokens'] ?? null,
    metadata: request['metadata'] ?? {},
    parallel_tool_calls: request['parallel_tool_calls'] ?? true,
    previous_response_id: request['previous_response_id'] ?? null,
    reasoning: { effort: reasoning['effort'] ?? null, summary: reasoning['summary'] ?? null },
    service_tier: 'default',
    store: request['store'] === true,
    temperature: request['temperature'] ?? 1,
    text: request['text'] ?? { format: { type: 'text' } },
    tool_choice: request['tool_choice'] ?? 'auto',
    tools: request['tools'] ?? [],
    top_p: request['top_p'] ?? 1,
    truncation: 'disabled',
    user: request['user'] ?? null,
  };
}
