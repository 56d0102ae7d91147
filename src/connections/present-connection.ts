import type { ConnectionOnWire } from '../contract/connections.ts';
import type { Connection } from './connection-types.ts';

/** The fields that members of the workspace see: neither the payload nor the provider's ids. */
export function presentConnection(connection: Connection): ConnectionOnWire {
  const {
    id,
    organizationId,
    workspaceId,
    provider,
    name,
    kind,
    status,
    reason,
    expiry,
    lastValidatedAt,
    createdAt,
    updatedAt,
  } = connection;
  return {
    id,
    organization: organizationId,
    workspace: workspaceId,
    provider,
    name,
    kind,
    status,
    ...(reason === undefined ? {} : { reason }),
    ...(expiry === undefined ? {} : { expiry: expiry.toISOString() }),
    ...(lastValidatedAt === undefined ? {} : { lastValidatedAt: lastValidatedAt.toISOString() }),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
