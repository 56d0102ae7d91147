// How each surface calls, in one table.
import { AppError } from '../../base/errors.ts';
import type { Connector, Surface } from '../../catalog/connector-types.ts';
import { prepareCompatibilityRead } from './compatibility-read.ts';
import type { Arguments, ConnectorOn, PreparedCall } from './prepare-call.ts';
import { prepareProviderMcp } from './provider-mcp.ts';
import { prepareResourceAwareGet } from './resource-aware-get.ts';
import { prepareTypedProxy } from './typed-proxy.ts';

type Prepare<S extends Surface> = (connector: ConnectorOn<S>, tool: string, given: Arguments) => PreparedCall;

const SURFACE_CALLS: { readonly [S in Surface]: Prepare<S> } = {
  'typed-proxy': prepareTypedProxy,
  'compatibility-read': (_connector, _tool, given) => prepareCompatibilityRead(given),
  'resource-aware-get': (connector, _tool, given) => prepareResourceAwareGet(connector, given),
  'provider-mcp': prepareProviderMcp,
  'command-auth': () => {
    throw new AppError('tool_not_found');
  },
};

/** Decides the whole request. Throws `invalid_request` for arguments that must not reach a provider. */
export function prepareCall<S extends Surface>(
  connector: ConnectorOn<S> & Connector,
  tool: string,
  given: Arguments,
): PreparedCall {
  const prepare = SURFACE_CALLS[connector.surface] as Prepare<S>;
  return prepare(connector, tool, given);
}
