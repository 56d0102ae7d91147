// Which connections of a workspace become accounts of command-line clients in a run's sandbox, and under which names.
import type { Catalog, Connector } from '../../catalog/connector-types.ts';
import { findConnector } from '../../catalog/find-connector.ts';
import { capabilityKey, commandProfile } from '../../connections/capabilities.ts';
import { isUsableStatus } from '../../connections/connection-status.ts';
import type { Connection } from '../../connections/connection-types.ts';
import { DEFAULT_NAME, RESERVED_NAME } from '../../connections/normalize-name.ts';
import { isActionEnabled } from '../../connections/policy.ts';

const CLOUD_CLIENTS = ['aws', 'databricks', 'gcloud'] as const;
export type Client = (typeof CLOUD_CLIENTS)[number] | 'git';

export interface ClientAccount {
  readonly connection: Connection;
  readonly client: Client;
  /** `service`, or `service-<name>`. */
  readonly profile: string;
  readonly isDefault: boolean;
  /** Its name among brokers: `aws`, or `aws-<name>`. */
  readonly label: string;
}

export interface LeftOut {
  /** `provider`, or `provider:name`. */
  readonly connection: string;
  readonly reason: string;
}

/** Names that mean the same in every client's files and are valid in a host name. */
const PLAIN_NAME = /^[a-z0-9](?:[a-z0-9-]{0,40}[a-z0-9])?$/;
const MOST = 20;
/** Whether a client can be limited to reading: not if it holds the credential itself. */
const READS_ONLY = { aws: false, databricks: true, gcloud: false, git: true } as const satisfies Record<
  Client,
  boolean
>;

export interface AccountsWanted {
  /** Keys of the connections that the run names; empty for all in the workspace. */
  readonly capabilities: readonly string[];
  readonly mayWrite: boolean;
  /** The id of a connection that the run needs, named or not. */
  readonly needed?: string | undefined;
}

export function selectAccounts(
  connections: readonly Connection[],
  catalog: Catalog,
  { capabilities, mayWrite, needed }: AccountsWanted,
): { readonly accounts: ClientAccount[]; readonly leftOut: LeftOut[] } {
  const accounts: ClientAccount[] = [];
  const leftOut: LeftOut[] = [];
  for (const connection of connections) {
    const connector = findConnector(catalog, connection.provider);
    const client = connector && clientOf(connector);
    if (client === undefined || connection.name === RESERVED_NAME) continue;
    const named = capabilities.length === 0 || capabilities.includes(capabilityKey(connection));
    if (!named && connection.id !== needed) continue;
    const reason =
      findBlocker(connection, connector, accounts.length) ??
      (mayWrite || READS_ONLY[client] ? undefined : 'the run may not write, and this account could');
    if (reason !== undefined) leftOut.push({ connection: nameOf(connection), reason });
    else
      accounts.push({
        connection,
        client,
        profile: commandProfile(connection),
        isDefault: connection.name === DEFAULT_NAME,
        label: connection.name === DEFAULT_NAME ? connection.provider : `${connection.provider}-${connection.name}`,
      });
  }
  return { accounts, leftOut };
}

export function nameOf({ provider, name }: Pick<Connection, 'provider' | 'name'>): string {
  return name === DEFAULT_NAME ? provider : `${provider}:${name}`;
}

function clientOf({ command, codeHost }: Connector): Client | undefined {
  if (codeHost === true) return 'git';
  return CLOUD_CLIENTS.find((client) => client === command?.cli);
}

function findBlocker(
  { status, name, policy }: Connection,
  connector: Connector | undefined,
  before: number,
): string | undefined {
  if (!isUsableStatus(status)) return `it is ${status}`;
  if (!PLAIN_NAME.test(name)) return 'its name cannot be the name of a profile: use letters, digits and hyphens';
  // A client can read whatever its account may, which would bypass the actions that are turned off.
  const tools: readonly { name: string; access: 'read' | 'write' }[] =
    connector?.codeHost === true ? (connector.tools ?? []) : [];
  if (tools.some((tool) => tool.access === 'read' && !isActionEnabled(policy, tool)))
    return 'some of its read actions are turned off';
  return before >= MOST ? `more than ${MOST} accounts` : undefined;
}
