// Routes that are too hot for the web framework, or need the socket itself. They are tried before the app.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { newId } from '../../base/ids.ts';
import { isRequestId } from '../../telemetry/request-id.ts';
import type { RouteCost } from '../../contract/route-cost.ts';

export interface RawRoute {
  /** By path if one handler serves several. */
  readonly cost: RouteCost | Readonly<Record<string, RouteCost>>;
  /** The path has no query. */
  matches(method: string, path: string): boolean;
  /** Handles its own failures: a returned promise never rejects. */
  handle(request: IncomingMessage, response: ServerResponse): void | Promise<void>;
}

export function pathOf({ url = '/' }: IncomingMessage): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

/** The request id given by the gateway, or a new one. */
export function requestIdOf(given: string | string[] | undefined): string {
  return isRequestId(given) ? given : newId('req');
}
