// What tool calls need from the rest of the service.
import type { CacheKey } from '../base/cache-key.ts';
import type { Access, Catalog } from '../catalog/connector-types.ts';
import type { Connection, IntegrationReference } from '../connections/connection-types.ts';
import type { WorkspaceRef } from '../tenancy/workspaces/workspace-ref.ts';
import type { NangoClient } from '../nango/nango-client.ts';
import type { ReceiptWriter } from '../receipts/receipt-writer.ts';
import type { LoadingCache } from '../timing/bounded-cache.ts';
import type { SchemaChecks } from './compile-schemas.ts';

interface ConnectionSource {
  /** By id or `provider:name`; organization and workspace are part of the same query. */
  find(lookup: WorkspaceRef, selector: string): Promise<Connection | undefined>;
  /** Ordered by provider, then name. */
  list(lookup: WorkspaceRef): Promise<readonly Connection[]>;
  /** The integration provider's ids of a connection, which never leave the service. */
  readReference(connection: Connection): IntegrationReference;
  /** Makes a connection valid again whose renewal had failed. */
  restore(connection: Connection): Promise<void>;
}

/** A tool of an app's own MCP server, which enforces the schema itself. */
export interface DiscoveredTool {
  readonly name: string;
  readonly description: string;
  readonly access: Access;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** An open session with an app's own MCP server. Failures are NangoError or AppError. */
export interface McpServerSession {
  listTools(): Promise<DiscoveredTool[]>;
  /** The server's result as is; a refusal is a result too, with `isError`. */
  callTool(name: string, given: Readonly<Record<string, unknown>>): Promise<unknown>;
}

export type OpenMcpServer = (
  url: string,
  call: { readonly reference: IntegrationReference; readonly deadlineMs: number; readonly signal: AbortSignal },
) => Promise<McpServerSession>;

export interface IntegrationProvider extends Pick<NangoClient, 'proxy' | 'getConnection'> {
  /** Connects to an app's own MCP server with the connection's token: the one surface the proxy cannot serve. */
  readonly openMcpServer: OpenMcpServer;
}

export interface ToolDeps {
  readonly catalog: Catalog;
  readonly connections: ConnectionSource;
  /** Undefined if no integration provider is configured. */
  readonly provider: IntegrationProvider | undefined;
  readonly receipts: Pick<ReceiptWriter, 'append'>;
  readonly schemas: SchemaChecks;
  /** Site of a connection, by connection id and time of its last change. */
  readonly sites: LoadingCache<CacheKey, string>;
  /** Tools of an app's own MCP server, by connection id and time of its last change. */
  readonly discovered: LoadingCache<CacheKey, readonly DiscoveredTool[]>;
  /** For connecting, headers and body together. */
  readonly timeoutMs: number;
}
