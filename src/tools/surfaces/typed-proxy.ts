import { AppError } from '../../base/errors.ts';
import { mapArguments } from '../map-arguments.ts';
import { sendThroughProxy } from '../provider-sending.ts';
import type { Arguments, ConnectorOn, PreparedCall } from './prepare-call.ts';

/** A reviewed tool: fixed method and path, arguments of its schema. */
export function prepareTypedProxy(
  connector: ConnectorOn<'typed-proxy'>,
  toolName: string,
  given: Arguments,
): PreparedCall {
  const tool = connector.tools.find(({ name }) => name === toolName);
  if (!tool) throw new AppError('tool_not_found');
  const request = mapArguments(tool, given);
  return (_deps, sending) => sendThroughProxy(sending, request);
}
