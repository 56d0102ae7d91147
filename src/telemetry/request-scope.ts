// Facts about the request being served: its id and method from the start, its route and organization once they are
// known. They follow the request through every call, so that code deep inside can log which request failed.
import { AsyncLocalStorage } from 'node:async_hooks';

export interface RequestScope {
  readonly requestId: string;
  readonly method: string;
  /** The pattern of the route, never the path, which contains ids. */
  route?: string;
  /** Id or slug, as in the request or its token. */
  organization?: string;
  /** Of the error in the response. */
  code?: string;
  /** The error that was logged. */
  reported?: unknown;
}

const scopes = new AsyncLocalStorage<RequestScope>();

export function serveInScope<T>(scope: RequestScope, work: () => T): T {
  return scopes.run(scope, work);
}

export function currentRequest(): RequestScope | undefined {
  return scopes.getStore();
}

/** Does nothing outside of a request. */
export function noteRequest(found: { readonly route?: string; readonly organization?: string | undefined }): void {
  const scope = scopes.getStore();
  if (!scope) return;
  if (found.route !== undefined) scope.route = found.route;
  if (found.organization !== undefined) scope.organization = found.organization;
}
