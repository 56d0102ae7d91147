// What is known of the request that is being served: its id and method at once, its route and organization as they are
// found out. It follows the request through every call, so that whoever reports a failure deep inside can say which
// request failed without having been handed it.
import { AsyncLocalStorage } from 'node:async_hooks';

export interface RequestScope {
  readonly requestId: string;
  readonly method: string;
  /** The pattern of the route, never the path: a path names things. */
  route?: string;
  /** Id or short name, as the request or its token has it. */
  organization?: string;
  /** Of the error that the request was answered with. */
  code?: string;
  /** The error that has been written to the log. */
  reported?: unknown;
}

const scopes = new AsyncLocalStorage<RequestScope>();

export function serveInScope<T>(scope: RequestScope, work: () => T): T {
  return scopes.run(scope, work);
}

export function currentRequest(): RequestScope | undefined {
  return scopes.getStore();
}

/** Outside of a request there is nobody to tell. */
export function noteRequest(found: { readonly route?: string; readonly organization?: string | undefined }): void {
  const scope = scopes.getStore();
  if (!scope) return;
  if (found.route !== undefined) scope.route = found.route;
  if (found.organization !== undefined) scope.organization = found.organization;
}
