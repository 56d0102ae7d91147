import { type ConnectionStatus, type Reason, statusAt } from './connection-status.ts';
import type { Connection, ConnectionKind } from './connection-types.ts';
import { type PolicyRow, toPolicy } from './policy.ts';

export interface ConnectionRow extends PolicyRow {
  id: string;
  organization_id: string;
  workspace_id: string;
  provider: string;
  name: string;
  kind: ConnectionKind;
  status: ConnectionStatus;
  reason: Reason | null;
  expiry: Date | null;
  last_validated_at: Date | null;
  ciphertext: Buffer;
  iv: Buffer;
  auth_tag: Buffer;
  created_at: Date;
  updated_at: Date;
}

/** A connection with its policy, so that one statement reads everything a call needs. */
export const SELECT_CONNECTION = `
  select c.id, c.organization_id, c.workspace_id, c.provider, c.name, c.kind, c.status, c.reason, c.expiry, c.last_validated_at,
         c.ciphertext, c.iv, c.auth_tag, c.created_at, c.updated_at,
         p.actions, p.enforce_repositories, p.selected_repositories, p.push
    from :schema.org_connection_secret c
    left join :schema.connection_policy p on p.connection_id = c.id`;

export function toConnection(row: ConnectionRow, now: Date): Connection {
  return {
    id: row.id,
    organizationId: row.organization_id,
    workspaceId: row.workspace_id,
    provider: row.provider,
    name: row.name,
    kind: row.kind,
    status: statusAt(row.status, row.expiry ?? undefined, now),
    reason: row.reason ?? undefined,
    expiry: row.expiry ?? undefined,
    lastValidatedAt: row.last_validated_at ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    policy: toPolicy(row),
    sealed: { ciphertext: row.ciphertext, iv: row.iv, authTag: row.auth_tag },
  };
}
