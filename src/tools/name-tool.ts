// Names under which MCP clients see tools: `<provider>__<tool>`, or `<provider>--<name>__<tool>` for a named
// connection. Clients take letters, digits, `_` and `-`, 64 at most; what does not fit is cut and made unique by a
// short hash of the whole, which stays the same for as long as the connection has its name.
import { createHash } from 'node:crypto';

const FITS = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_LENGTH = 64;
const HASH_LENGTH = 8;

export interface ToolAddress {
  readonly provider: string;
  readonly connectionName: string;
  readonly tool: string;
}

export function nameTool({ provider, connectionName, tool }: ToolAddress): string {
  const plain = `${connectionName === 'default' ? provider : `${provider}--${connectionName}`}__${tool}`;
  if (FITS.test(plain)) return plain;
  const tail = `-${createHash('sha256').update(plain).digest('hex').slice(0, HASH_LENGTH)}__${tool}`;
  const head = `${provider}--${connectionName}`.replaceAll(/[^A-Za-z0-9_-]+/g, '-');
  return head.slice(0, Math.max(1, MAX_LENGTH - tail.length)) + tail.slice(-(MAX_LENGTH - 1));
}

const CUT = /-[0-9a-f]{8}__[a-z][a-z0-9-]*$/;

/** Whether the name may be one that was cut: only the workspace's own connections can tell. */
export function mayBeCut(name: string): boolean {
  return CUT.test(name);
}

/** Reads a name that was not cut. Ids of connectors hold no `--`, names of tools no `__`. */
export function findToolAddress(name: string): ToolAddress | undefined {
  const [, address = '', tool = ''] = /^(.+)__([a-z][a-z0-9-]*)$/.exec(name) ?? [];
  // Names of connections are lower case and never empty: no second spelling leads to the same tool.
  if (address === '' || name !== name.toLowerCase()) return undefined;
  const split = address.indexOf('--');
  const parsed =
    split < 0
      ? { provider: address, connectionName: 'default', tool }
      : { provider: address.slice(0, split), connectionName: address.slice(split + 2), tool };
  return parsed.connectionName !== '' && nameTool(parsed) === name ? parsed : undefined;
}
