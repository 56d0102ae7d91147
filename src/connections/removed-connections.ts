// The provider's connections that were removed or replaced here. They are recorded permanently, because a webhook for
// one may be delivered again at any time. An operator may reuse an id, so a connection that the provider created well
// after the removal counts as a different one.
import type { Queryable, Transaction } from '../store/database.ts';

/** How far the provider's clock may be off. */
const CLOCK_SKEW = "interval '5 minutes'";

/** SQL: whether row `r` applies to a connection that the provider created at `created`. */
export const isRemoval = (created: string): string =>
  `(${created} is null or ${created} <= r.removed_at + ${CLOCK_SKEW})`;

export async function noteRemoved(tx: Transaction | Queryable, organizationId: string, digest: Buffer): Promise<void> {
  await tx.query(
    `insert into :schema.connection_removed (organization_id, reference_digest) select id, $2 from :schema.organization where id = $1
     on conflict (organization_id, reference_digest) do update set removed_at = now()`,
    [organizationId, digest],
  );
}

export async function wasRemoved(
  tx: Transaction,
  organizationId: string,
  digest: Buffer,
  createdAt: Date | undefined,
): Promise<boolean> {
  const { rows } = await tx.query(
    `select 1 from :schema.connection_removed r where r.organization_id = $1 and r.reference_digest = $2 and ${isRemoval('$3::timestamptz')}`,
    [organizationId, digest, createdAt ?? null],
  );
  return rows.length > 0;
}
