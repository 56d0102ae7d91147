// Every tool of one connection and whether its policy enables it, for those who edit the policy. Tools of an app's own
// MCP server are listed with the connection's token, as for a call.
import { findConnector } from '../catalog/find-connector.ts';
import type { Connection } from '../connections/connection-types.ts';
import { isActionEnabled } from '../connections/policy.ts';
import { prepareContext } from './call-tool.ts';
import { discoverTools } from './surfaces/provider-mcp.ts';
import type { DiscoveredTool, ToolDeps } from './tool-deps.ts';

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
  // Connections imported from local tools have no tools: the integration provider does not know them.
  if (!connector || connection.kind !== 'integration-reference') return [];
  const tools =
    connector.surface === 'provider-mcp'
      ? await discoverTools(deps, connector, prepareContext(deps, connection, signal)())
      : connector.tools;
  return tools.map((tool) => ({
    name: tool.name,
    access: tool.access,
    description: tool.description,
    inputSchema: tool.inputSchema,
    enabled: isActionEnabled(connection.policy, tool),
  }));
}
