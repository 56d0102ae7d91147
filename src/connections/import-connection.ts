// Explicit imports. Two kinds contain a real credential; a cloud profile is only a name.
import { AppError } from '../base/errors.ts';
import type { Connector } from '../catalog/connector-types.ts';
import { findConnector } from '../catalog/find-connector.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import type { Connection, Reference } from './connection-types.ts';
import type { WorkspaceRef } from '../tenancy/workspaces/workspace-ref.ts';
import { findConnection } from './find-connection.ts';
import { lockWorkspace } from './owning-workspace.ts';
import { checkName, RESERVED_NAME } from './normalize-name.ts';
import { requireWrappingKey, storeReference } from './stored-reference.ts';

export type ImportedReference = Exclude<Reference, { kind: 'integration-reference' }>;

/** Which connectors accept which import. */
const ACCEPTED_BY = {
  'local-cloud-profile': {
    connector: ({ command }) => command !== undefined,
    description: 'a cloud connector with a command line',
  },
  'cloud-credential-process': {
    connector: ({ command }) => command !== undefined,
    description: 'a cloud connector with a command line',
  },
  'code-host-token': { connector: ({ codeHost }) => codeHost === true, description: 'a code host' },
} as const satisfies Record<
  ImportedReference['kind'],
  { connector: (connector: Connector) => boolean; description: string }
>;

export interface NewImport extends WorkspaceRef {
  readonly userId: string;
  readonly provider: string;
  readonly name?: string | undefined;
  readonly reference: ImportedReference;
}

export async function importConnection(deps: ConnectionDeps, input: NewImport): Promise<Connection> {
  const { db } = deps;
  const { organizationId, workspaceId, reference } = input;
  const wrappingKey = requireWrappingKey(deps.wrappingKey);
  const connector = findConnector(deps.catalog, input.provider);
  if (!connector) throw new AppError('connector_not_found', { provider: input.provider });
  const accepted = ACCEPTED_BY[reference.kind];
  if (!accepted.connector(connector))
    throw new AppError('invalid_request', { provider: `${reference.kind} is for ${accepted.description}` });
  const name = checkName(input.name);
  if (name === RESERVED_NAME) throw new AppError('name_reserved');

  const address = { organizationId, workspaceId, provider: connector.id, name };
  const selector = `${connector.id}:${name}`;
  return db.transaction(async (tx) => {
    await lockWorkspace(tx, address);
    const existing = await findConnection(tx, address, selector);
    if (existing && existing.kind !== reference.kind) throw new AppError('connection_exists', { kind: existing.kind });
    await storeReference(db, tx, wrappingKey, {
      address,
      reference,
      expiry: expiryOf(reference),
      actorId: input.userId,
      whenTaken: 'replace',
    });
    const stored = await findConnection(tx, address, selector, { now: deps.clock() });
    if (!stored) throw new AppError('conflict');
    return stored;
  });
}

function expiryOf(reference: ImportedReference): Date | undefined {
  const expiration = reference.kind === 'cloud-credential-process' ? reference.bundle.Expiration : undefined;
  return expiration === undefined ? undefined : new Date(expiration);
}
