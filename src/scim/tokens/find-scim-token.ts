import type { Clock } from '../../base/clock.ts';
import { digestSecret } from '../../identity/secret-digests.ts';
import type { Queryable } from '../../store/database.ts';

export interface ScimToken {
  readonly id: string;
  readonly organizationId: string;
}

/** Looked up by its digest; when it was used is noted once a minute. The token of a shut organization opens nothing. */
const FIND = `
with found as (
  select t.id, t.organization_id from :schema.scim_token t
    join :schema.organization o on o.id = t.organization_id and o.deleted_at is null and o.disabled_at is null
   where t.digest = $1
), noted as (
  update :schema.scim_token t set used_at = $2 from found f
   where t.id = f.id and (t.used_at is null or t.used_at < $2::timestamptz - interval '1 minute')
)
select id, organization_id from found`;

const FORM = /^scim_[A-Za-z0-9_-]{43}$/;

export async function findScimToken(db: Queryable, clock: Clock, secret: string): Promise<ScimToken | undefined> {
  if (!FORM.test(secret)) return undefined;
  const { rows } = await db.query<{ id: string; organization_id: string }>(FIND, [digestSecret(secret), clock()]);
  return rows[0] && { id: rows[0].id, organizationId: rows[0].organization_id };
}
