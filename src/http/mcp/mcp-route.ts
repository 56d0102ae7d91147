import type { ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { RequestHeaders } from '../../net/authorization.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../telemetry/log.ts';
import { noteRequest } from '../../telemetry/request-scope.ts';
import type { Queryable } from '../../store/database.ts';
import type { Caller } from '../../tenancy/tokens/find-caller.ts';
import type { ToolDeps } from '../../tools/tool-deps.ts';
import { errorResponse } from '../shell/write-error.ts';
import type { Admission } from '../shell/admission/admission.ts';
import type { OpenStreams } from '../shell/streams/open-streams.ts';
import type { RawRoute } from '../shell/raw-route.ts';
import { createAggregateTools } from './aggregate-tools.ts';
import { createSlidingLimit } from '../../timing/rate-limit.ts';
import { createMcpEndpoint } from './mcp-endpoint.ts';
import type { McpReply } from './mcp-replies.ts';
import type { McpTools } from './mcp-tools.ts';
import { createSearchTools } from './search-tools.ts';
import { serveSdk } from './serve-sdk.ts';

export interface McpDeps {
  readonly db: Queryable;
  readonly publicUrl: string;
  readonly authenticate: (headers: RequestHeaders) => Promise<Caller>;
  readonly tools: ToolDeps;
  readonly requestsPerMinute: number;
  readonly streams: OpenStreams;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly admission: Admission;
  /** Wraps the list and the calls; the conformance suite adds its own tools here. */
  readonly extend?: (tools: McpTools) => McpTools;
}

export interface McpRoute extends RawRoute {
  /** Closes open streams. */
  close(): Promise<void>;
}

const PATH = '/connect/mcp';
const COST = 'provider';

export function mcpRoute({
  tools,
  extend = (all) => all,
  version,
  log,
  requestsPerMinute,
  clock,
  ...rest
}: McpDeps): McpRoute {
  const identity = { name: 'agent-platform-service', title: 'Connected apps', version };
  const all = createAggregateTools(tools, log);
  const sdk = serveSdk(identity, log);
  const limit = createSlidingLimit({ max: requestsPerMinute, windowMs: 60_000, nowMs: () => clock().getTime() });
  const endpoint = createMcpEndpoint({
    ...rest,
    cost: COST,
    log,
    identity,
    sdk,
    limit,
    tools: { all: extend(all), search: createSearchTools(all, log) },
  });
  const responses = new WeakMap<object, Response>();
  const writeResponse = getRequestListener(
    (_request, { incoming }) => responses.get(incoming) ?? new Response(null, { status: 500 }),
    { overrideGlobalObjects: false },
  );

  return {
    cost: COST,
    matches: (_method, path) => path === PATH,
    async handle(request, response) {
      noteRequest({ route: PATH });
      const disconnected = new AbortController();
      response.once('close', () => response.writableFinished || disconnected.abort());
      const reply = await endpoint(request, response, disconnected.signal).catch((error: unknown) =>
        errorResponse(error, log),
      );
      if (!(reply instanceof Response)) return write(reply, response);
      responses.set(request, reply);
      void writeResponse(request, response);
    },
    close: () => sdk.close(),
  };
}

function write({ status, headers, body }: McpReply, response: ServerResponse): void {
  const length =
    typeof body === 'string' ? Buffer.byteLength(body) : body.reduce((sum, { length: bytes }) => sum + bytes, 0);
  response.writeHead(status, { ...headers, 'content-length': length });
  if (typeof body === 'string') {
    // As many bytes as characters means ASCII, which needs no encoding.
    response.end(body, length === body.length ? 'latin1' : 'utf8');
    return;
  }
  for (const piece of body) response.write(piece);
  response.end();
}
