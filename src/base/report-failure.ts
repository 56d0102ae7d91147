// The one place that writes down that a request failed. The line carries the id that its sender is told to report, the
// route and the organization, and the error with its stack; a refusal of ours is an answer and gets none.
import { AppError } from './errors.ts';
import type { Log } from './log.ts';
import { currentRequest, type RequestScope } from './request-scope.ts';

/** `more` is what the place knows besides: names and counts, never content. */
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

/** Something broke: an error that nobody expected, or one of ours on our side that has another as its cause. */
function isFault(error: unknown): boolean {
  return !(error instanceof AppError) || (error.status >= 500 && error.cause !== undefined);
}
