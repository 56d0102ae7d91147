import type { Transaction } from '../../store/database.ts';
import type { UserRecord } from '../protocol/user-record.ts';
import { ScimError } from '../scim-error.ts';

interface Place {
  readonly organizationId: string;
  /** Absent for a new user. */
  readonly userId: string | undefined;
}

const TAKEN = `
select 1 from :schema.organization_member m
  join :schema.identity_user u on u.id = m.user_id
  left join :schema.scim_user s on s.organization_id = m.organization_id and s.user_id = m.user_id
 where m.organization_id = $1 and m.user_id is distinct from $2
   and (coalesce(lower(s.user_name), u.email) = lower($3) or s.external_id = $4) limit 1`;

/** Under the organization's lock. */
export async function requireFreeName(tx: Transaction, place: Place, record: UserRecord): Promise<void> {
  const { organizationId, userId } = place;
  const { rowCount } = await tx.query(TAKEN, [
    organizationId,
    userId ?? null,
    record.userName,
    record.externalId ?? null,
  ]);
  if (rowCount > 0) throw new ScimError('uniqueness', 'The organization has a user with this userName or externalId.');
}

export async function saveRecord(
  tx: Transaction,
  { organizationId, userId, at }: { organizationId: string; userId: string; at: Date },
  record: UserRecord,
): Promise<void> {
  await tx.query(
    `insert into :schema.scim_user
       (organization_id, user_id, user_name, external_id, display_name, given_name, family_name, formatted_name, email, changed_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (organization_id, user_id) do update set user_name = excluded.user_name, external_id = excluded.external_id,
       display_name = excluded.display_name, given_name = excluded.given_name, family_name = excluded.family_name,
       formatted_name = excluded.formatted_name, email = excluded.email, changed_at = excluded.changed_at`,
    [
      organizationId,
      userId,
      record.userName,
      record.externalId ?? null,
      record.displayName ?? null,
      record.givenName ?? null,
      record.familyName ?? null,
      record.formattedName ?? null,
      record.email ?? null,
      at,
    ],
  );
}
