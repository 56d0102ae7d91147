// Every tool of one connection and whether its policy enables it, for the people who decide about it. Tools of a
// provider's own MCP server are asked for with the connection's token, as a call would.
import { findConnector } from '../catalog/find-connector.ts';
import type { Connection } from '../connections/connection-types.ts';
import { isActionEnabled } from '../connections/policy.ts';
import { openSending } from './call-tool.ts';
import type { DiscoveredTool } from './discovered-tool.ts';
import { discoverTools } from './surfaces/provider-mcp.ts';
import type { ToolDeps } from './tool-deps.ts';

export interface DecidedTool extends Pick<DiscoveredTool, 'name' | 'access' | 'description'> {
  readonly inputSchema: unknown;
  readonly enabled: boolean;
}

export async function listConnectionTools(
  deps: ToolDeps,
  connection: Connection,
  signal: AbortSignal,
): Promise<DecidedTool[]> {
  const connector = findConnector(deps.catalog, connection.provider);
  // Imports of local kinds have no tools: nothing of them is at the integration provider.
  if (!connector || connection.kind !== 'integration-reference') return [];
  const tools =
    connector.surface === 'provider-mcp'
      ? await discoverTools(deps, connector, openSending(deps, connection, signal)())
      : connector.tools;
  return tools.map((tool) => ({
    name: tool.name,
    access: tool.access,
    description: tool.description,
    inputSchema: tool.inputSchema,
    enabled: isActionEnabled(connection.policy, tool),
  }));
}
