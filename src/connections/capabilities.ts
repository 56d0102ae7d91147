// The capability manifest of a workspace: what agents, chat and the command line can use. Expired and invalid
// connections stay in it, marked as unusable.
import { AppError } from '../base/errors.ts';
import type { Catalog, Connector } from '../catalog/connector-types.ts';
import { findConnector } from '../catalog/find-connector.ts';
import type { CapabilityManifest, CapabilityRecord } from '../contract/connections.ts';
import type { Queryable } from '../store/database.ts';
import { isUsableStatus } from './connection-status.ts';
import type { Connection, ConnectionKind } from './connection-types.ts';
import type { WorkspaceRef } from '../tenancy/workspaces/workspace-ref.ts';
import { listConnections } from './find-connection.ts';
import { DEFAULT_NAME } from './normalize-name.ts';

const SOURCES = {
  'integration-reference': 'integration-provider',
  'local-cloud-profile': 'import',
  'cloud-credential-process': 'import',
  'code-host-token': 'import',
} as const satisfies Record<ConnectionKind, string>;

const TRANSPORTS = {
  'typed-proxy': 'proxy',
  'compatibility-read': 'proxy',
  'resource-aware-get': 'proxy',
  'provider-mcp': 'mcp',
  'command-auth': 'cli',
} as const satisfies Record<Connector['surface'], string>;

/** The bare provider for the default connection, `provider.name` for a named one. */
export function capabilityKey({ provider, name }: Pick<Connection, 'provider' | 'name'>): string {
  return name === DEFAULT_NAME ? provider : `${provider}.${name}`;
}

/** Whether the text has the form of a capability key: a connector's id, alone or followed by a connection's name. */
export function isCapabilityKey(catalog: Catalog, text: string): boolean {
  const dot = text.indexOf('.');
  return Object.hasOwn(catalog.byId, dot < 0 ? text : text.slice(0, dot));
}

/** The CLI profile of a command-backed connection; the default connection is also installed as `[default]`. */
export function commandProfile({ name }: Pick<Connection, 'name'>): string {
  return name === DEFAULT_NAME ? 'service' : `service-${name}`;
}

/** An imported code-host token has no tools: runs use it to read repositories. */
function toCapability(connection: Connection, connector: Connector): CapabilityRecord {
  const { id, provider, name, kind, status, reason, expiry, createdAt } = connection;
  const selector = name === DEFAULT_NAME ? provider : `${provider}:${name}`;
  return {
    command: connector.command?.cli ?? (kind === 'code-host-token' ? 'git' : `servicectl call ${selector}`),
    provider,
    source: SOURCES[kind],
    transport: kind === 'integration-reference' ? TRANSPORTS[connector.surface] : 'cli',
    status,
    connectionId: id,
    name,
    metadata: {
      title: connector.name,
      kind,
      surface: connector.surface,
      ...(connector.command ? { profile: commandProfile(connection) } : {}),
      ...(reason === undefined ? {} : { reason }),
    },
    discoveredAt: createdAt.toISOString(),
    ...(expiry === undefined ? {} : { expiresAt: expiry.toISOString() }),
  };
}

export function buildManifest(connections: readonly Connection[], catalog: Catalog): CapabilityManifest {
  const entries = connections.flatMap((connection): [string, CapabilityRecord][] => {
    const connector = findConnector(catalog, connection.provider);
    return connector ? [[capabilityKey(connection), toCapability(connection, connector)]] : [];
  });
  return { status: entries.length > 0 ? 'online' : 'offline', capabilities: Object.fromEntries(entries) };
}

export async function readCapabilities(
  db: Queryable,
  ref: WorkspaceRef,
  catalog: Catalog,
  now = new Date(),
): Promise<CapabilityManifest> {
  return buildManifest(await listConnections(db, ref, now), catalog);
}

function isUsable(capability: Pick<CapabilityRecord, 'status'>): boolean {
  return isUsableStatus(capability.status);
}

/** A refusal for each capability that is missing or unusable. */
export function findUnusable({ capabilities }: CapabilityManifest, keys: readonly string[]): AppError[] {
  return keys.flatMap((key) => {
    const capability = Object.hasOwn(capabilities, key) ? capabilities[key] : undefined;
    return capability && isUsable(capability)
      ? []
      : [new AppError('capability_unusable', { capability: key, status: capability?.status ?? 'missing' })];
  });
}
