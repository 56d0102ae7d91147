// The one place that logs a failed request. The line has the request id that the client is asked to report, the route,
// the organization, and the error with its stack. A deliberate refusal is an answer and is not logged.
import { AppError } from '../base/errors.ts';
import type { Log } from './log.ts';
import { currentRequest, type RequestScope } from './request-scope.ts';

/** `more` adds what the caller knows: names and counts, never content. */
export function reportFailure(
  log: Log,
  error: unknown,
  more: Readonly<Record<string, string | number | undefined>> = {},
  scope: RequestScope | undefined = currentRequest(),
): void {
  if (scope) scope.code = error instanceof AppError ? error.code : 'internal';
  if (!isFault(error) || (scope !== undefined && scope.reported === error)) return;
  if (scope) scope.reported = error;
  const { requestId, method, route, organization } = scope ?? {};
  log.error({ requestId, method, route, organization, ...more, err: error }, 'request failed');
}

/** An unexpected error, or a server-side AppError that another error caused. */
function isFault(error: unknown): boolean {
  return !(error instanceof AppError) || (error.status >= 500 && error.cause !== undefined);
}
