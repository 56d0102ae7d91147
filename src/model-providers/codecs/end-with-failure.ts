// Ends a stream that was cut off or refused, with what its clients recognize as a failure, as the provider would have
// sent it. An unfinished line is ended first.
import { type AppError, errorBody } from '../../base/errors.ts';
import { type Answer, createStreamEncoder } from './encode-answer.ts';
import {
  encodeAnthropicError,
  encodeOpenAiError,
  toAnthropicStreamError,
  toOpenAiStreamError,
} from './encode-error.ts';
import type { Failure, Protocol } from './neutral.ts';
import type { StreamObserver } from './observe-stream.ts';
import { ProviderError } from './provider-error.ts';
import { createEnvelope, errorFields } from './responses/response-envelope.ts';

export interface BrokenStream {
  readonly surface: Protocol;
  readonly answer: Answer;
  readonly seen: Pick<StreamObserver, 'see' | 'sequence'>;
  /** The last bytes the client received. */
  readonly last: Buffer | undefined;
}

export function endWithFailure(failure: Failure, { surface, answer, seen, last }: BrokenStream): string {
  return lineBreaks(last) + failureEvents(failure, surface, answer, seen);
}

/** A refusal of a stream that has begun, but without an event of the answer. */
export function refuseInStream(error: AppError, surface: Protocol, answer: Answer): string {
  if (surface === 'chat') return `data: ${JSON.stringify(encodeOpenAiError(error).body)}\n\n`;
  if (surface === 'messages') return `event: error\ndata: ${JSON.stringify(encodeAnthropicError(error).body)}\n\n`;
  return createStreamEncoder('responses', answer).encode({ type: 'error', ...failureOf(error) });
}

function failureOf(error: AppError): Failure {
  if (error instanceof ProviderError) return error.failure;
  const kind = error.code === 'provider_timeout' ? 'timeout' : error.code === 'unavailable' ? 'stopping' : 'other';
  return { kind, message: errorBody(error).body.message ?? error.code };
}

/** Whether something may be sent after these bytes that does not belong to their event. */
export function endsEvent(last: Buffer | string | undefined): boolean {
  return lineBreaks(typeof last === 'string' ? Buffer.from(last.slice(-3), 'latin1') : last) === '';
}

function failureEvents(failure: Failure, surface: Protocol, answer: Answer, seen: BrokenStream['seen']): string {
  if (surface === 'chat') return `data: ${JSON.stringify(toOpenAiStreamError(failure))}\n\n`;
  if (surface === 'messages') return `event: error\ndata: ${JSON.stringify(toAnthropicStreamError(failure))}\n\n`;
  const { id, usage } = seen.see();
  // Nothing has begun yet: sends the whole sequence, starting with `response.created`.
  if (id === undefined) return createStreamEncoder('responses', answer).encode({ type: 'error', ...failure });
  const response = createEnvelope({ ...answer, id })({ failure, usage, output: [] });
  const next = (seen.sequence() ?? -1) + 1;
  return `event: response.failed\ndata: {"type":"response.failed","sequence_number":${next},"response":${response}}\n\nevent: error\ndata: {"type":"error","sequence_number":${next + 1},${errorFields(failure)}}\n\n`;
}

function lineBreaks(last: Buffer | undefined): string {
  if (last === undefined || last.length === 0) return '';
  const end = last.toString('latin1', Math.max(0, last.length - 3)).replaceAll('\r', '');
  return end.endsWith('\n\n') ? '' : end.endsWith('\n') ? '\n' : '\n\n';
}
