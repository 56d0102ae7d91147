import { type ErrorBody, errorBody } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { reportFailure } from '../../base/report-failure.ts';

/** Any failure as a JSON response. What is not a refusal of ours is logged here and leaves as `internal`. */
export function errorResponse(error: unknown, log: Log, headers: Record<string, string> = {}): Response {
  reportFailure(log, error);
  const { status, body } = errorBody(error);
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...retryAfterOf(body), ...headers } });
}

/** For a refusal that says how long to wait. */
export function retryAfterOf({ details }: Pick<ErrorBody, 'details'>): { 'retry-after'?: string } {
  const seconds = (details as { retryAfterSeconds?: unknown } | undefined)?.retryAfterSeconds;
  return typeof seconds === 'number' ? { 'retry-after': String(seconds) } : {};
}
