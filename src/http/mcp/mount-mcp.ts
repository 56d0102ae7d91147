import type { ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Queryable } from '../../store/database.ts';
import type { Caller } from '../../tenancy/find-caller.ts';
import type { ToolDeps } from '../../tools/tool-deps.ts';
import type { RequestHeaders } from '../authenticate-token.ts';
import { createAggregateTools } from './aggregate-tools.ts';
import { createCallerLimit } from './limit-callers.ts';
import { createMcpEndpoint } from './mcp-endpoint.ts';
import type { McpReply } from './mcp-reply.ts';
import type { McpTools } from './mcp-tools.ts';
import { createSearchTools } from './search-tools.ts';
import { serveSdk } from './serve-sdk.ts';

export interface McpDeps {
  readonly db: Queryable;
  readonly publicUrl: string;
  readonly authenticate: (headers: RequestHeaders) => Promise<Caller>;
  readonly tools: ToolDeps;
  readonly requestsPerMinute: number;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  /** What the list and the calls become; the conformance suite mounts its own tools here. */
  readonly extend?: (tools: McpTools) => McpTools;
}

/** Returns how to stop: streams that are open are closed. */
export function mountMcp(app: Hono, { tools, extend = (all) => all, version, log, requestsPerMinute, clock, ...rest }: McpDeps): { close(): Promise<void> } {
  const identity = { name: 'agent-platform-service', title: 'Connected apps', version };
  const all = createAggregateTools(tools, log);
  const sdk = serveSdk(identity, log);
  const limit = createCallerLimit(requestsPerMinute, clock);
  const endpoint = createMcpEndpoint({ ...rest, log, identity, sdk, limit, tools: { all: extend(all), search: createSearchTools(all, log) } });
  const sent = new Map<number, Response>();
  app.all('/connect/mcp', async (c) => {
    const { incoming, outgoing } = c.env as HttpBindings;
    const gone = new AbortController();
    outgoing.once('close', () => outgoing.writableFinished || gone.abort());
    const reply = await endpoint(incoming as HttpBindings['incoming'], gone.signal);
    return reply instanceof Response ? reply : write(reply, outgoing as ServerResponse, sent, c.get('requestId'));
  });
  return { close: () => sdk.close() };
}

/** Straight to the socket; what is handed back only tells the rest of the app what was sent. */
function write({ status, headers, body }: McpReply, outgoing: ServerResponse, sent: Map<number, Response>, requestId: string | undefined): Response {
  const length = Buffer.byteLength(body);
  outgoing.writeHead(status, requestId === undefined ? { ...headers, 'content-length': length } : { ...headers, 'content-length': length, 'x-request-id': requestId });
  // As many bytes as characters: nothing to encode.
  outgoing.end(body, length === body.length ? 'latin1' : 'utf8');
  let told = sent.get(status);
  if (!told) sent.set(status, (told = new Response(null, { status, headers: { 'x-hono-already-sent': 'true' } })));
  return told;
}
