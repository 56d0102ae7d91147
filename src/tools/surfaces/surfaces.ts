// How each surface calls, in one table.
import { AppError } from '../../base/errors.ts';
import type { Connector, ToolSurface } from '../../catalog/connector-types.ts';
import { mapArguments, readRequest } from '../map-arguments.ts';
import { type Arguments, type ConnectorOn, type PreparedCall, sendThroughProxy } from '../provider-call.ts';
import { prepareProviderMcp } from './provider-mcp.ts';
import { prepareResourceAwareGet } from './resource-aware-get.ts';

type Prepare<S extends ToolSurface> = (connector: ConnectorOn<S>, tool: string, given: Arguments) => PreparedCall;

const SURFACE_CALLS: { readonly [S in ToolSurface]: Prepare<S> } = {
  'typed-proxy': prepareTypedProxy,
  'compatibility-read': prepareCompatibilityRead,
  'resource-aware-get': prepareResourceAwareGet,
  'provider-mcp': prepareProviderMcp,
  'command-auth': () => {
    throw new AppError('tool_not_found');
  },
};

/** Decides the whole request. Throws `invalid_request` for arguments that must not reach an app. */
export function prepareCall<S extends ToolSurface>(
  connector: ConnectorOn<S> & Connector,
  tool: string,
  given: Arguments,
): PreparedCall {
  const prepare = SURFACE_CALLS[connector.surface] as Prepare<S>;
  return prepare(connector, tool, given);
}

/** A reviewed tool: fixed method and path, arguments according to its schema. */
function prepareTypedProxy(connector: ConnectorOn<'typed-proxy'>, toolName: string, given: Arguments): PreparedCall {
  const tool = connector.tools.find(({ name }) => name === toolName);
  if (!tool) throw new AppError('tool_not_found');
  const request = mapArguments(tool, given);
  return (_deps, context) => sendThroughProxy(context, request);
}

/** One resource of an app without typed tools. */
function prepareCompatibilityRead(_connector: Connector, _toolName: string, given: Arguments): PreparedCall {
  const request = readRequest(given);
  return (_deps, context) => sendThroughProxy(context, request);
}
