// An app's own MCP server: its tools are listed with the connection's token, cached briefly, and called by the names
// the server gives them.
import { cacheKey } from '../../base/cache-key.ts';
import { AppError } from '../../base/errors.ts';
import { MAX_REQUEST_BYTES } from '../map-arguments.ts';
import type { Arguments, ConnectorOn, PreparedCall, ProviderContext } from '../provider-call.ts';
import { toToolFailure } from '../provider-faults.ts';
import type { DiscoveredTool, ToolDeps } from '../tool-deps.ts';

type McpConnector = ConnectorOn<'provider-mcp'>;

export function discoverTools(
  deps: ToolDeps,
  connector: McpConnector,
  context: ProviderContext,
): Promise<readonly DiscoveredTool[]> {
  const { id, updatedAt } = context.connection;
  // A reconnected account may have other tools.
  return deps.discovered.get(cacheKey(id, updatedAt.getTime()), async () => {
    try {
      const server = await context.provider.openMcpServer(connector.mcp.url, context);
      return await server.listTools();
    } catch (error) {
      throw toToolFailure(error);
    }
  });
}

export function prepareProviderMcp(connector: McpConnector, toolName: string, given: Arguments): PreparedCall {
  if (Buffer.byteLength(JSON.stringify(given)) > MAX_REQUEST_BYTES)
    throw new AppError('request_too_large', { limitBytes: MAX_REQUEST_BYTES });
  return async (_deps, context) => {
    try {
      const server = await context.provider.openMcpServer(connector.mcp.url, context);
      // If the tool itself fails, the result says so in `isError`.
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
