// A provider's own MCP server: its tools are discovered with the connection's token, kept for a short while, and
// called by the names that it gave them.
import { cacheKey } from '../../base/cache-key.ts';
import { AppError } from '../../base/errors.ts';
import type { DiscoveredTool } from '../discovered-tool.ts';
import { MAX_REQUEST_BYTES } from '../map-arguments.ts';
import type { Sending } from '../provider-sending.ts';
import type { ToolDeps } from '../tool-deps.ts';
import { toToolFailure } from '../to-tool-failure.ts';
import type { Arguments, ConnectorOn, PreparedCall } from './prepare-call.ts';

type McpConnector = ConnectorOn<'provider-mcp'>;

export function discoverTools(
  deps: ToolDeps,
  connector: McpConnector,
  sending: Sending,
): Promise<readonly DiscoveredTool[]> {
  const { id, updatedAt } = sending.connection;
  // An account that was connected again may have other tools.
  return deps.discovered.get(cacheKey(id, updatedAt.getTime()), async () => {
    try {
      const server = await sending.provider.openMcpServer(connector.mcp.url, sending);
      return await server.listTools();
    } catch (error) {
      throw toToolFailure(error);
    }
  });
}

export function prepareProviderMcp(connector: McpConnector, toolName: string, given: Arguments): PreparedCall {
  if (Buffer.byteLength(JSON.stringify(given)) > MAX_REQUEST_BYTES)
    throw new AppError('request_too_large', { limitBytes: MAX_REQUEST_BYTES });
  return async (_deps, sending) => {
    try {
      const server = await sending.provider.openMcpServer(connector.mcp.url, sending);
      // A failure of the tool itself is part of the result, under `isError`.
      return {
        status: 200,
        headers: { 'content-type': 'application/json' },
        data: JSON.stringify(await server.callTool(toolName, given)),
      };
    } catch (error) {
      throw toToolFailure(error);
    }
  };
}
