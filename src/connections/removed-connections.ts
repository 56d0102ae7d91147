// Connections of the provider that were removed or replaced here. They are remembered for good, because a webhook of
// one may be delivered again at any time. An operator may make a connection under an id that was used before: one that
// the provider made well after the removal is another connection.
import type { Queryable, Transaction } from '../store/database.ts';

/** How far the provider's clock may be off. */
const CLOCKS_APART = "interval '5 minutes'";

/** With `created` for when the provider made the connection, of the row `r`. */
export const isRemoval = (created: string): string =>
  `(${created} is null or ${created} <= r.removed_at + ${CLOCKS_APART})`;

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
