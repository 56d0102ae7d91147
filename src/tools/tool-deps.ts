// What tool calls need of the rest of the house, as they need it.
import type { CacheKey } from '../base/cache-key.ts';
import type { Catalog } from '../catalog/connector-types.ts';
import type { Connection, IntegrationReference, Scope as Place } from '../connections/connection-types.ts';
import type { NangoClient } from '../nango/nango-client.ts';
import type { ReceiptWriter } from '../receipts/receipt-writer.ts';
import type { LoadingCache } from '../timing/bounded-cache.ts';
import type { SchemaChecks } from './compile-schemas.ts';
import type { DiscoveredTool } from './discovered-tool.ts';

export interface ConnectionSource {
  /** By id or `provider:name`; organization and workspace are part of the same query. */
  find(place: Place, selector: string): Promise<Connection | undefined>;
  /** In order of provider, then name. */
  list(place: Place): Promise<readonly Connection[]>;
  /** The provider's own names of a connection, which never leave the service. */
  readReference(connection: Connection): IntegrationReference;
}

/** An open conversation with a provider's own MCP server. Failures are NangoError or AppError. */
export interface McpServerSession {
  listTools(): Promise<DiscoveredTool[]>;
  /** The result as the server gave it; what it refused is told in the result too. */
  callTool(name: string, given: Readonly<Record<string, unknown>>): Promise<unknown>;
}

export type OpenMcpServer = (
  url: string,
  call: { readonly reference: IntegrationReference; readonly deadlineMs: number; readonly signal: AbortSignal },
) => Promise<McpServerSession>;

export interface IntegrationProvider extends Pick<NangoClient, 'proxy' | 'getConnection'> {
  /** Speaks to a provider's own MCP server with the connection's token: the one surface the proxy cannot serve. */
  readonly openMcpServer: OpenMcpServer;
}

export interface ToolDeps {
  readonly catalog: Catalog;
  readonly connections: ConnectionSource;
  /** Undefined while the integration provider is not configured. */
  readonly provider: IntegrationProvider | undefined;
  readonly receipts: Pick<ReceiptWriter, 'append'>;
  readonly schemas: SchemaChecks;
  /** Site of a connection, by its id and when it was last changed. */
  readonly sites: LoadingCache<CacheKey, string>;
  /** Tools of a connection's own MCP server, by its id. */
  readonly discovered: LoadingCache<CacheKey, readonly DiscoveredTool[]>;
  /** Over connecting, headers and body together. */
  readonly timeoutMs: number;
}
