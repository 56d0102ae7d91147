// The part of the api role that calls tools: one set of dependencies for REST and MCP.
import { publicUrl } from '../net/addresses.ts';
import type { RequestHeaders } from '../net/authorization.ts';
import { systemClock } from '../base/clock.ts';
import type { Catalog } from '../catalog/connector-types.ts';
import type { Admission } from '../http/shell/admission/admission.ts';
import { type McpRoute, mcpRoute } from '../http/mcp/mcp-route.ts';
import type { PlainRoutes } from '../http/shell/plain-routes.ts';
import { mountCalls } from '../http/runtime/call-routes.ts';
import { mountConnectionTools } from '../http/runtime/connection-tools-route.ts';
import type { OpenStreams } from '../http/shell/streams/open-streams.ts';
import type { NangoClient } from '../nango/nango-client.ts';
import type { ReceiptWriter } from '../receipts/receipt-writer.ts';
import type { Caller } from '../tenancy/tokens/find-caller.ts';
import { createToolDeps } from '../tools/create-tool-deps.ts';
import type { RoleDeps } from './role-deps.ts';

export interface ServedTools {
  readonly mcp: McpRoute;
  mount(routes: PlainRoutes): void;
  close(): Promise<void>;
}

export interface ToolServing {
  readonly catalog: Catalog;
  /** Undefined while the integration provider is not configured. */
  readonly nango: NangoClient | undefined;
  readonly receipts: ReceiptWriter;
  readonly streams: OpenStreams;
  readonly authenticate: (headers: RequestHeaders) => Promise<Caller>;
  readonly admission: Admission;
}

export function serveTools(
  { config, log, db, version }: RoleDeps,
  { catalog, nango, receipts, streams, authenticate, admission }: ToolServing,
): ServedTools {
  const tools = createToolDeps({ db, config, catalog, nango, receipts, clock: systemClock, version });
  const mcp = mcpRoute({
    db,
    publicUrl: publicUrl(config),
    authenticate,
    tools,
    streams,
    requestsPerMinute: config.SERVICE_MCP_REQUESTS_PER_MINUTE,
    version,
    clock: systemClock,
    log,
    admission,
  });
  return {
    mcp,
    mount(routes) {
      mountCalls(routes, { db, authenticate: (request) => authenticate(request.headers), tools, log });
      mountConnectionTools(routes, { db, authenticate: (request) => authenticate(request.headers), tools });
    },
    async close() {
      await mcp.close();
      await tools.close();
    },
  };
}
