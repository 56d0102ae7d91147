// A connection's reference as it is stored. It is sealed with the row's address as context, so a payload copied to
// another row does not open there. An address has one row: connecting again updates it in place and keeps its id and
// policy. Listeners of the workspace are notified when the transaction commits.
import { createHmac } from 'node:crypto';
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { type Sealed, seal, unseal } from '../base/seal.ts';
import type { Database, Transaction } from '../store/database.ts';
import {
  CONNECTION_STATUSES,
  type ConnectionStatus,
  type Reason,
  type Transition,
  type Trigger,
  TRANSITIONS,
} from './connection-status.ts';
import { findDigestKey } from './digest-key.ts';
import type { ConnectionRef, Connection, ConnectionKind, IntegrationReference, Reference } from './connection-types.ts';
import { notifyChange } from './notify-change.ts';

const KEY_VERSION = 1;

export const referenceContext = ({ organizationId, workspaceId, provider, name }: ConnectionRef): string[] => [
  'org_connection_secret',
  organizationId,
  workspaceId,
  provider,
  name,
];

function sealReference(wrappingKey: Buffer, address: ConnectionRef, reference: Reference): Sealed {
  return seal(wrappingKey, JSON.stringify(reference), referenceContext(address));
}

/** Undefined if it was sealed with another wrapping key or for another row. */
export function unsealReference(
  wrappingKey: Buffer,
  address: ConnectionRef & { readonly kind: ConnectionKind },
  sealed: Sealed,
): Reference | undefined {
  const text = unseal(wrappingKey, sealed, referenceContext(address));
  const reference = text === undefined ? undefined : (JSON.parse(text) as Reference);
  return reference?.kind === address.kind ? reference : undefined;
}

/**
 * Identifies the row of a provider's connection without storing the provider's ids in plain text. The key, from
 * `findDigestKey`, is not in the database as such: it alone is not enough to compute the digest of a known id.
 */
export function digestReference(
  digestKey: Buffer,
  { integrationId, connectionId }: Pick<IntegrationReference, 'integrationId' | 'connectionId'>,
): Buffer {
  return createHmac('sha256', digestKey)
    .update(JSON.stringify([integrationId, connectionId]))
    .digest();
}

/** Opens the connection's payload. Throws if that fails, rather than treating the connection as absent. */
export function readReference(wrappingKey: Buffer | undefined, connection: Connection): Reference {
  const reference = wrappingKey && unsealReference(wrappingKey, connection, connection.sealed);
  if (!reference) throw new AppError('connection_undecryptable', { connection: connection.id });
  return reference;
}

export function requireWrappingKey(wrappingKey: Buffer | undefined): Buffer {
  if (!wrappingKey) throw new AppError('connections_not_configured');
  return wrappingKey;
}

export interface NewReference {
  readonly address: ConnectionRef;
  readonly reference: Reference;
  readonly status?: ConnectionStatus;
  readonly reason?: Reason | undefined;
  readonly expiry?: Date | undefined;
  /** Who authorized or imported it. */
  readonly actorId?: string | undefined;
  /** When the provider created the connection, if known. */
  readonly providerCreatedAt?: Date | undefined;
  /** If the address is taken: replace the row, or leave it as it is. */
  readonly whenTaken: 'replace' | 'keep';
}

/** The row's id, or undefined if the address was taken and the row kept. */
export async function storeReference(
  db: Database,
  tx: Transaction,
  wrappingKey: Buffer,
  given: NewReference,
): Promise<string | undefined> {
  const { address, reference, status = 'valid', reason, expiry, actorId, providerCreatedAt, whenTaken } = given;
  const { ciphertext, iv, authTag } = sealReference(wrappingKey, address, reference);
  const digest =
    reference.kind === 'integration-reference'
      ? digestReference(await findDigestKey(db, wrappingKey, tx), reference)
      : null;
  if (whenTaken === 'replace')
    await tx.query(SUPERSEDE, [address.organizationId, address.workspaceId, address.provider, address.name, digest]);
  const { rows } = await tx.query<{ id: string }>(whenTaken === 'replace' ? UPSERT : INSERT_IF_FREE, [
    newId('con'),
    address.organizationId,
    address.workspaceId,
    address.provider,
    address.name,
    reference.kind,
    status,
    reason ?? null,
    expiry ?? null,
    ciphertext,
    iv,
    authTag,
    KEY_VERSION,
    digest,
    actorId ?? null,
    providerCreatedAt ?? null,
  ]);
  const id = rows[0]?.id;
  if (id !== undefined) await notifyChange(tx, db, address.workspaceId);
  if (id !== undefined && status === 'invalid') await tx.query(TELL_INVALID, [[id]]);
  return id;
}

const TELL_INVALID = `
select :schema.announce_event(c.organization_id, c.workspace_id, 'connection.invalid',
         jsonb_build_object('connection', c.id, 'provider', c.provider, 'status', 'invalid'))
  from :schema.org_connection_secret c where c.id = any ($1)`;

/** Notes the replaced connection, if it was a different one: read repair deletes it at the provider and never restores it. */
const SUPERSEDE = `
  insert into :schema.connection_removed (organization_id, reference_digest)
  select organization_id, reference_digest from :schema.org_connection_secret
   where organization_id = $1 and workspace_id = $2 and provider = $3 and name = $4 and reference_digest is distinct from $5::bytea and reference_digest is not null
  on conflict (organization_id, reference_digest) do update set removed_at = now()`;
const INSERT = `
  insert into :schema.org_connection_secret as c
    (id, organization_id, workspace_id, provider, name, kind, status, reason, expiry, last_validated_at, ciphertext, iv, auth_tag, key_version, reference_digest, created_by, authorized_by, provider_created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, case when $7 = 'valid' then now() end, $10, $11, $12, $13, $14, $15, $15, $16)
  on conflict (organization_id, workspace_id, provider, name)`;
const INSERT_IF_FREE = `${INSERT} do nothing returning c.id`;
const UPSERT = `${INSERT} do update set kind = excluded.kind, status = excluded.status, reason = excluded.reason, expiry = excluded.expiry,
  last_validated_at = coalesce(excluded.last_validated_at, c.last_validated_at), ciphertext = excluded.ciphertext, iv = excluded.iv, auth_tag = excluded.auth_tag,
  key_version = excluded.key_version, reference_digest = excluded.reference_digest, authorized_by = excluded.authorized_by,
  provider_created_at = excluded.provider_created_at, updated_at = now() returning c.id`;

/** Applies a transition to the rows of a provider's connection. Returns how many rows there are. */
export function markByDigest(db: Database, digest: Buffer, trigger: Trigger): Promise<number> {
  return mark(db, trigger, 'reference_digest = $3', digest);
}

export function markById(db: Database, id: string, trigger: Trigger): Promise<number> {
  return mark(db, trigger, 'id = $3', id);
}

function mark(db: Database, trigger: Trigger, condition: string, key: Buffer | string): Promise<number> {
  const { to, reason, from = CONNECTION_STATUSES, only }: Transition = TRANSITIONS[trigger];
  return db.transaction(async (tx) => {
    const { rows } = await tx.query<{ id: string; workspace_id: string; changed: boolean; was: ConnectionStatus }>(
      `with found as (select id, workspace_id, status, reason from :schema.org_connection_secret where ${condition} for update),
            moved as (update :schema.org_connection_secret c set status = $1, reason = $2, updated_at = now(), last_validated_at = case when $1 = 'valid' then now() else c.last_validated_at end from found f
                       where c.id = f.id and f.status = any ($4) and ($5::text is null or f.reason = $5) and (f.status <> $1 or f.reason is distinct from $2) returning c.id)
       select f.id, f.workspace_id, f.status as was, m.id is not null as changed from found f left join moved m on m.id = f.id`,
      [to, reason ?? null, key, from, only ?? null],
    );
    for (const workspaceId of new Set(rows.filter((row) => row.changed).map((row) => row.workspace_id)))
      await notifyChange(tx, db, workspaceId);
    const fallen = rows.filter(({ changed, was }) => changed && to === 'invalid' && was !== 'invalid');
    if (fallen.length > 0) await tx.query(TELL_INVALID, [fallen.map(({ id }) => id)]);
    return rows.length;
  });
}
