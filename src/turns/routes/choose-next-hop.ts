// Which model of a route is called next, without I/O. A model that policy or budget refuses is never called; one that was
// called is followed by the next only if it failed with one of the route's reasons before a byte of its answer. Everything
// else ends the request: an answer, a rejected key of the organization, a request that the model does not take.
import type { AppError, ErrorCode } from '../../base/errors.ts';
import { AUTO_MODEL_ID } from '../../catalog/model-catalog.ts';
import { AUTO_ROUTE_SLUG, type MoveOnReason, ROUTE_PREFIX } from '../../contract/routes/route-rules.ts';

/** A route of the organization: `route/<slug>`. */
export interface ModelRoute {
  readonly name: string;
  readonly models: readonly string[];
  readonly on: readonly MoveOnReason[];
}

/** A model of a route that did not answer. */
interface TriedHop {
  readonly model: string;
  readonly error: AppError;
  /** It refused, or failed, in a way that the next model may not. */
  readonly movesOn: boolean;
  readonly reason: string;
}

/** A request on its way through a route. It keeps the route that it began with, even if that is changed meanwhile. */
export interface HopCourse {
  /** What the request named: the route, or `service/auto`. */
  readonly asked: string;
  readonly route: ModelRoute;
  readonly tried: readonly TriedHop[];
}

export function startCourse(routes: readonly ModelRoute[], asked: string): HopCourse | undefined {
  if (routes.length === 0) return undefined;
  const name = asked === AUTO_MODEL_ID ? `${ROUTE_PREFIX}${AUTO_ROUTE_SLUG}` : asked;
  const route = routes.find((one) => one.name === name);
  return route && { asked, route, tried: [] };
}

/** Before a model is called: it is passed over, and the next one may pass. */
const PASSED_OVER: ReadonlySet<ErrorCode> = new Set([
  'model_not_found',
  'token_model_denied',
  'policy_denied',
  'provider_key_denied',
  'model_not_routable',
  'quota_exceeded',
  'cap_reached',
]);

/** After a model was called. A rejected key of the organization is none of these. */
const REASON_OF: Readonly<Partial<Record<ErrorCode, MoveOnReason>>> = {
  provider_rate_limited: 'rate_limited',
  provider_overloaded: 'overloaded',
  provider_unavailable: 'unavailable',
  provider_unreachable: 'unavailable',
  provider_timeout: 'timeout',
};

/** What became of the model that was chosen last: refused before it was called, or failed without a byte of an answer. */
export type HopEnd = { readonly kind: 'refused' | 'failed'; readonly error: AppError };

export function afterHop({ asked, route, tried }: HopCourse, { kind, error }: HopEnd): HopCourse {
  const model = route.models[tried.length] ?? '';
  const reason = kind === 'failed' ? REASON_OF[error.code] : undefined;
  const movesOn = kind === 'refused' ? PASSED_OVER.has(error.code) : reason !== undefined && route.on.includes(reason);
  return { asked, route, tried: [...tried, { model, error, movesOn, reason: reason ?? error.code }] };
}

export type NextHop =
  | { readonly model: string; readonly error?: undefined }
  /** What the client is told: why the route ended or, if every model was tried, why the first did not answer. */
  | { readonly model?: undefined; readonly error: AppError };

export function chooseNextHop({ route, tried }: HopCourse): NextHop {
  const last = tried.at(-1);
  if (last && !last.movesOn) return { error: last.error };
  const model = route.models[tried.length];
  if (model !== undefined) return { model };
  const [first] = tried;
  if (!first) throw new Error('a route has at least one model');
  return { error: first.error };
}

/** Whether another model follows the one that is being called. */
export function hasNext({ route, tried }: HopCourse): boolean {
  return route.on.length > 0 && tried.length + 1 < route.models.length;
}

/** `x-service-tried`: what did not answer, and why. */
export function describeTried({ tried }: Pick<HopCourse, 'tried'>): string {
  return tried.map(({ model, reason }) => `${model};reason=${reason}`).join(', ');
}
