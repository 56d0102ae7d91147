// /connect/mcp: both revisions of the protocol at one address, stateless. Order: method → origin → caller → scope → rate
// limit → body; then the fast path answers a well-formed list or call, and the SDK everything else.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHeaders } from '../../net/authorization.ts';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import type { RouteCost } from '../../contract/route-cost.ts';
import type { Queryable } from '../../store/database.ts';
import { type Caller, findCallerMembership } from '../../tenancy/tokens/find-caller.ts';
import type { ToolCaller } from '../../tools/call-tool.ts';
import { readToken } from '../shell/authenticate-token.ts';
import type { Admission } from '../shell/admission/admission.ts';
import { isTextFault, parseJson } from '../../base/parse-json.ts';
import { requireUrlText } from '../shell/require-url-text.ts';
import { authorityOf, type OpenStreams } from '../shell/streams/open-streams.ts';
import { answerFast } from './answer-fast.ts';
import type { RateLimit } from '../../timing/rate-limit.ts';
import {
  type McpReply,
  refuseBatch,
  refuseForeignOrigin,
  refuseMethod,
  refuseScope,
  refuseTooMany,
  refuseUnauthenticated,
} from './mcp-replies.ts';
import type { McpTools } from './mcp-tools.ts';
import { readFastRequest } from './read-fast-request.ts';
import type { SdkServing, ServerIdentity } from './serve-sdk.ts';

export interface McpEndpointDeps {
  readonly db: Queryable;
  readonly publicUrl: string;
  /** Throws `unauthenticated`. */
  readonly authenticate: (headers: RequestHeaders) => Promise<Caller>;
  readonly limit: RateLimit;
  readonly identity: ServerIdentity;
  /** The full list, and the three tools that replace it with `?tools=search`. */
  readonly tools: { readonly all: McpTools; readonly search: McpTools };
  readonly sdk: SdkServing;
  readonly streams: OpenStreams;
  readonly log: Log;
  readonly admission: Admission;
  readonly cost: RouteCost;
}

const NOT_JSON = '-';
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

export type McpEndpoint = (
  request: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
) => Promise<McpReply | Response>;

export function createMcpEndpoint(deps: McpEndpointDeps): McpEndpoint {
  const { publicUrl, authenticate, limit, admission, cost } = deps;
  const answer = createAnswer(deps);
  const route = { cost, body: 'tool' } as const;

  return async (request, response, signal) => {
    const { headers } = request;
    if (request.method !== 'POST') return refuseMethod();
    if (
      headers.origin !== undefined &&
      !isOwnOrigin(headers.origin, headerOf(headers, 'x-forwarded-host') ?? headers.host, publicUrl)
    )
      return refuseForeignOrigin();

    const caller = await authenticate(headers).catch(unlessUnauthenticated);
    if (!caller) return refuseUnauthenticated(publicUrl, readToken(headers) !== undefined);
    if (!caller.scopes.has('connect:read') && !caller.scopes.has('connect:write')) return refuseScope(publicUrl);
    const waitSeconds = limit.take(caller.userId);
    if (waitSeconds !== undefined) return refuseTooMany(waitSeconds);
    return admission.serve(route, caller, request, (body) => answer({ request, response, signal, caller, body }));
  };
}

/**
 * Browsers name the page that sends a request. A page on another site must not reach the gateway through a user's
 * browser, not even by DNS rebinding: an origin that merely equals Host proves nothing.
 */
export function isOwnOrigin(origin: string, host: string | undefined, publicUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  const given = new URL(origin);
  return (
    given.origin === new URL(publicUrl).origin || (LOOPBACK.has(given.hostname) && given.host === host?.toLowerCase())
  );
}

interface AdmittedCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly signal: AbortSignal;
  readonly caller: Caller;
  readonly body: Buffer;
}

/** For callers that passed every check. */
function createAnswer({ db, identity, tools, sdk, streams, log }: McpEndpointDeps) {
  const serverInfo = JSON.stringify(identity);

  return async ({ request, response, signal, caller, body: sent }: AdmittedCall): Promise<McpReply | Response> => {
    const { headers, url = '/' } = request;
    requireUrlText(url);
    const body = parseBody(sent);
    if (Array.isArray(body)) return refuseBatch();
    const { workspace, search } = readQuery(url);
    const toolCaller: ToolCaller = {
      userId: caller.userId,
      scopes: caller.scopes,
      capabilities: caller.capabilities,
      membership: workspace === undefined ? caller.membership : await findCallerMembership(db, caller, workspace),
    };
    const offered = search ? tools.search : tools.all;

    // The protocol requires both types to be named, even where the client accepts anything.
    if (headers.accept === undefined || headers.accept.includes('*/*'))
      headers.accept = 'application/json, text/event-stream';
    const fast = readFastRequest(body, (name) => headerOf(headers, name));
    if (fast && !(fast.method === 'tools/call' && offered.streams?.(fast.name)))
      return answerFast(fast, { tools: offered, caller: toolCaller, signal, serverInfo, log });
    // The SDK may answer with a stream.
    streams.open('mcp', authorityOf(caller, toolCaller.membership?.workspaceId), response);
    return sdk.handle(toRequest(request, signal), body, { caller: toolCaller, tools: offered });
  };
}

function unlessUnauthenticated(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'unauthenticated') return undefined;
  throw error;
}

/** Undefined if it is not JSON: the SDK then answers with the protocol's error. Malformed text is refused here. */
function parseBody(bytes: Buffer): unknown {
  try {
    return parseJson(bytes);
  } catch (error) {
    if (isTextFault(error)) throw error;
    return undefined;
  }
}

function readQuery(url: string): { workspace: string | undefined; search: boolean } {
  const mark = url.indexOf('?');
  if (mark < 0) return { workspace: undefined, search: false };
  const query = new URLSearchParams(url.slice(mark + 1));
  return { workspace: query.get('workspace') ?? undefined, search: query.get('tools') === 'search' };
}

function headerOf(headers: IncomingMessage['headers'], name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

/**
 * For the SDK, which is given the parsed body separately. If parsing failed it reads this body, which fails for it too,
 * so it never parses anything that was refused here.
 */
function toRequest({ headers }: IncomingMessage, signal: AbortSignal): Request {
  const onward = new Headers();
  for (const [name, value] of Object.entries(headers))
    if (typeof value === 'string' && name !== 'content-length' && name !== 'authorization') onward.set(name, value);
  return new Request('http://localhost/connect/mcp', { method: 'POST', headers: onward, body: NOT_JSON, signal });
}
