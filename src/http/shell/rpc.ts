// Mounts contract routes: validates the input, calls the handler, and maps every failure to the error body.
import { type AnyRouter, type Context, ORPCError } from '@orpc/server';
import { StandardOpenAPIMatcher } from '@orpc/openapi/standard';
import { FetchHandler } from '@orpc/server/fetch';
import { StandardHandler } from '@orpc/server/standard';
import { AppError, errorBody } from '../../base/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import { reportFailure } from '../../telemetry/report-failure.ts';
import { noteRequest } from '../../telemetry/request-scope.ts';
import type { RouteMeta } from '../../contract/route-cost.ts';
import { retryAfterOf } from './write-error.ts';
import { filledQuery } from './filled-query.ts';
import type { Admission } from './admission/admission.ts';
import { routePattern } from './route-pattern.ts';
import { PathBoundCodec } from './path-bound-codec.ts';
import { invalidRequest } from './validate.ts';

const NO_BODY = Buffer.alloc(0);

export interface RpcRoutes<C extends Context> {
  /** Undefined if no route of the contract matches. Without a known caller no body is read: the route refuses. */
  handle(request: Request, context: C, who: string | undefined): Promise<Response | undefined>;
  /** Records the route of a request that failed before it was handled. */
  note(request: Request): Promise<void>;
}

/** What is known about a request before its input is parsed. */
export interface MatchedRoute {
  readonly meta: unknown;
  readonly params: Readonly<Record<string, string>>;
  readonly request: Request;
  readonly body: Buffer;
}

export interface RpcOptions<C extends Context> {
  readonly admission: Admission;
  /** Throws if a known caller may not call the route, before the body is parsed; returns the context for the handler. */
  readonly authorize?: (route: MatchedRoute, context: C) => Promise<C>;
}

export function mountRpc<C extends Context>(
  router: AnyRouter,
  log: Log,
  { admission, authorize = async (_route, context) => context }: RpcOptions<C>,
): RpcRoutes<C> {
  const matcher = new StandardOpenAPIMatcher();
  const codec = new PathBoundCodec({ customErrorResponseBodyEncoder: (error) => error.data });
  const standard = new StandardHandler<Context>(router as never, matcher, codec, {
    clientInterceptors: [
      async ({ next, procedure }) => {
        try {
          return await next();
        } catch (error) {
          throw toWire(error, log, procedure['~orpc'].route.inputStructure === 'detailed');
        }
      },
    ],
    rootInterceptors: [
      async ({ next }) => {
        const result = await next();
        if (!result.matched || result.response.status !== 429) return result;
        const { headers, body } = result.response;
        return {
          ...result,
          response: { ...result.response, headers: { ...headers, ...retryAfterOf(body) } },
        };
      },
    ],
    interceptors: [
      async ({ next }) => {
        try {
          return await next();
        } catch (error) {
          // Failures outside the call itself, such as a body that cannot be decoded.
          throw error instanceof ORPCError ? error : toWire(error, log);
        }
      },
    ],
  });
  const handler = new FetchHandler<Context>(standard);
  const answer = async (request: Request, body: Buffer, context: C): Promise<Response | undefined> => {
    const { matched, response } = await handler.handle(
      request.method === 'GET' ? withFilledQuery(request) : withBody(request, body),
      { context },
    );
    return matched ? response : undefined;
  };
  const noteMatch = ({ procedure, params }: NonNullable<Awaited<ReturnType<typeof find>>>): void =>
    noteRequest({ route: routePattern(procedure['~orpc'].route.path), organization: params?.['org'] });
  const find = (request: Request) =>
    matcher.match(request.method, `/${new URL(request.url).pathname.replace(/^\/|\/$/g, '')}`);
  return {
    async note(request) {
      const match = await find(request);
      if (match) noteMatch(match);
    },
    async handle(request, context, who) {
      if (who === undefined) return answer(request, NO_BODY, context);
      const match = await find(request);
      if (!match) return undefined;
      noteMatch(match);
      const { meta } = match.procedure['~orpc'];
      const { cost } = meta as RouteMeta;
      const route = request.method === 'GET' ? { cost } : { cost, body: 'json' as const };
      return admission.serve(route, { userId: who }, request, async (body) =>
        answer(request, body, await authorize({ meta, params: match.params ?? {}, request, body }, context)),
      );
    },
  };
}

function toWire(error: unknown, log: Log, inParts = false): ORPCError<string, unknown> {
  const known = error instanceof AppError ? error : fromValidation(error, inParts);
  reportFailure(log, known ?? error);
  const { status, body } = errorBody(known ?? error);
  return new ORPCError(body.error, { status, message: body.error, data: body });
}

/**
 * A validation error of the contract as `invalid_request` with a line per field, named without `params`, `query` or
 * `body`.
 */
function fromValidation(error: unknown, inParts: boolean): AppError | undefined {
  if (!(error instanceof ORPCError) || error.code !== 'BAD_REQUEST') return undefined;
  const issues = (error.data as { issues?: Parameters<typeof invalidRequest>[0] } | undefined)?.issues;
  if (!issues) return new AppError('invalid_request', { body: 'must be valid JSON' });
  return invalidRequest(inParts ? issues.map(({ path, ...issue }) => ({ ...issue, path: path.slice(1) })) : issues);
}

function withFilledQuery(request: Request): Request {
  if (!/[?&][^=&]*=?(?:&|$)/.test(request.url)) return request;
  const url = new URL(request.url);
  url.search = filledQuery(url.searchParams).toString();
  return new Request(url, { headers: request.headers, signal: request.signal });
}

/** The request with the body that was read of it. */
function withBody(request: Request, body: Buffer): Request {
  return new Request(request.url, {
    method: request.method,
    headers: request.headers,
    ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
  });
}
