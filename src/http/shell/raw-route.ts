// Routes that are too hot for the web framework, or need the socket itself. They come before the app.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { newId } from '../../base/ids.ts';
import { isRequestId } from '../../base/request-id.ts';
import type { RouteCost } from '../../contract/route-cost.ts';

export interface RawRoute {
  /** By path, where one handler serves several. */
  readonly cost: RouteCost | Readonly<Record<string, RouteCost>>;
  /** The path comes without its query. */
  matches(method: string, path: string): boolean;
  /** Sees to its own failures: a promise that it answers with never rejects. */
  handle(request: IncomingMessage, response: ServerResponse): void | Promise<void>;
}

export function pathOf({ url = '/' }: IncomingMessage): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

/** The gateway's id of the request, when it gave one. */
export function requestIdOf(given: string | string[] | undefined): string {
  return isRequestId(given) ? given : newId('req');
}
