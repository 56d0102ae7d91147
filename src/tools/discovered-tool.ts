import type { Access } from '../catalog/connector-types.ts';

/** A tool of a provider's own MCP server. Its schema is the provider's to enforce. */
export interface DiscoveredTool {
  readonly name: string;
  readonly description: string;
  readonly access: Access;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}
