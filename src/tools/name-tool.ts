// Tool names in MCP: `<provider>__<tool>`, or `<provider>--<name>__<tool>` for a named connection. Clients accept at
// most 64 letters, digits, `_` and `-`. A name that does not fit is truncated and made unique by a short hash of the
// full name, which is stable until the connection is renamed.
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

const TRUNCATED = /-[0-9a-f]{8}__[a-z][a-z0-9-]*$/;

/** Whether the name may be a truncated one, which only the workspace's connections can resolve. */
export function mayBeTruncated(name: string): boolean {
  return TRUNCATED.test(name);
}

/** Parses a name that was not truncated. Connector ids contain no `--`, tool names no `__`. */
export function findToolAddress(name: string): ToolAddress | undefined {
  const [, address = '', tool = ''] = /^(.+)__([a-z][a-z0-9-]*)$/.exec(name) ?? [];
  // Connection names are lower case and never empty, so a tool has only one spelling.
  if (address === '' || name !== name.toLowerCase()) return undefined;
  const split = address.indexOf('--');
  const parsed =
    split < 0
      ? { provider: address, connectionName: 'default', tool }
      : { provider: address.slice(0, split), connectionName: address.slice(split + 2), tool };
  return parsed.connectionName !== '' && nameTool(parsed) === name ? parsed : undefined;
}
