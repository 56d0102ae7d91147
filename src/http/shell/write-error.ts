// Where an error becomes an answer, in the shape that its reader expects: our own JSON unless a rendering is handed in,
// as OAuth (oauth/oauth-response.ts) and the surfaces of OpenAI and Anthropic (v1/write-surface-error.ts) do. What is
// not a refusal of ours is reported, with the id of its request, and leaves as `internal`.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dropRest } from '../../base/drop-rest.ts';
import { AppError, type ErrorBody, errorBody } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { reportFailure } from '../../base/report-failure.ts';

export interface RenderedError {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** A refusal in the words of another protocol, which is no AppError and no fault either. */
  readonly isRefusal?: boolean;
}

export function errorResponse(
  error: unknown,
  log: Log,
  headers: Record<string, string> = {},
  render: (error: unknown) => RenderedError = errorBody,
): Response {
  const { status, body, isRefusal } = render(error);
  if (!isRefusal) reportFailure(log, error);
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...retryAfterOf(error), ...headers } });
}

/** The refusal of a raw route, whose client may still be sending. */
export function refuseRaw(log: Log, request: IncomingMessage, response: ServerResponse, error: unknown): void {
  reportFailure(log, error);
  dropRest(request);
  writeError(response, error);
}

/** Once an answer has begun the connection is cut instead. */
export function writeError(
  response: ServerResponse,
  error: unknown,
  render: (error: unknown) => RenderedError = errorBody,
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const { status, body, headers } = render(error);
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(text),
    ...retryAfterOf(error),
    ...headers,
  });
  response.end(text);
}

/** For a refusal, or its body, that says how long to wait. */
export function retryAfterOf(refusal: unknown): { 'retry-after'?: string } {
  const details = refusal instanceof AppError ? refusal.details : (refusal as Partial<ErrorBody> | undefined)?.details;
  const seconds = (details as { retryAfterSeconds?: unknown } | undefined)?.retryAfterSeconds;
  return typeof seconds === 'number' ? { 'retry-after': String(seconds) } : {};
}
