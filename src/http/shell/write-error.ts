// Turns an error into a response in the shape that the client expects: our own JSON, unless a rendering is passed in,
// as OAuth (oauth/oauth-response.ts) and the OpenAI and Anthropic surfaces (v1/write-surface-error.ts) do. Unexpected
// errors are logged with the request id and answered with `internal`.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dropRest } from '../../net/drop-rest.ts';
import { AppError, type ErrorBody, errorBody } from '../../base/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import { reportFailure } from '../../telemetry/report-failure.ts';

export interface RenderedError {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** A refusal of another protocol, which is neither an AppError nor a fault. */
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
  return Response.json(body, {
    status,
    headers: { 'cache-control': 'no-store', ...retryAfterOf(error), ...closingAfter(status), ...headers },
  });
}

/** For raw routes, whose client may still be sending. */
export function refuseRaw(log: Log, request: IncomingMessage, response: ServerResponse, error: unknown): void {
  reportFailure(log, error);
  dropRest(request);
  writeError(response, error);
}

/** If the response has already begun, the connection is cut instead, unless it has also been ended. */
export function writeError(
  response: ServerResponse,
  error: unknown,
  render: (error: unknown) => RenderedError = errorBody,
): void {
  if (response.headersSent || response.destroyed) {
    if (!response.writableEnded) response.destroy();
    return;
  }
  const { status, body, headers } = render(error);
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(text),
    ...retryAfterOf(error),
    ...closingAfter(status),
    ...headers,
  });
  response.end(text);
}

/** The rest of a body that did not arrive in time is not waited for. */
function closingAfter(status: number): { connection?: string } {
  return status === 408 ? { connection: 'close' } : {};
}

/** For an error, or its body, that says how long to wait. */
export function retryAfterOf(refusal: unknown): { 'retry-after'?: string } {
  const details = refusal instanceof AppError ? refusal.details : (refusal as Partial<ErrorBody> | undefined)?.details;
  const seconds = (details as { retryAfterSeconds?: unknown } | undefined)?.retryAfterSeconds;
  return typeof seconds === 'number' ? { 'retry-after': String(seconds) } : {};
}
