// Deletes stored responses: by age, for organizations that require zero data retention, and over the limit per user.
import type { Queryable } from '../store/database.ts';
import { STORED_LIMITS } from './stored-response.ts';

const BATCH = 1_000;

/** An earlier response of a conversation is kept as long as a later one that continues it. */
const BY_AGE = `
  delete from :schema.stored_response where (organization_id, id, workspace_id, user_id) in (
    select r.organization_id, r.id, r.workspace_id, r.user_id from :schema.stored_response r
     where r.created_at <= now() - make_interval(days => $1)
       and ($1 = 0 or not exists (select from :schema.stored_response n where n.organization_id = r.organization_id and n.previous_id = r.id and n.workspace_id = r.workspace_id and n.user_id = r.user_id))
     limit ${BATCH})`;
const BY_POLICY = `
  delete from :schema.stored_response where (organization_id, id, workspace_id, user_id) in (
    select r.organization_id, r.id, r.workspace_id, r.user_id from :schema.org_policy p
      join :schema.stored_response r on r.organization_id = p.organization_id where p.require_zdr limit ${BATCH})`;
/** Only users who stored something recently can be over the limit. */
const BY_AMOUNT = `
  delete from :schema.stored_response where (organization_id, id, workspace_id, user_id) in (
    select a.organization_id, a.id, a.workspace_id, a.user_id from (
      select r.organization_id, r.id, r.workspace_id, r.user_id,
             row_number() over newest as number, sum(r.bytes) over newest as total
        from :schema.stored_response r
        join (select distinct organization_id, user_id from :schema.stored_response where created_at > now() - interval '10 minutes') lately
          on lately.organization_id = r.organization_id and lately.user_id = r.user_id
      window newest as (partition by r.organization_id, r.user_id order by r.created_at desc, r.id)) a
     where a.number > $1 or a.total > $2 limit ${BATCH})`;

export async function dropOldResponses(
  db: Queryable,
  days: number,
  { personResponses, personBytes }: { personResponses: number; personBytes: number } = STORED_LIMITS,
): Promise<void> {
  await inBatches(db, BY_AGE, [days]);
  await inBatches(db, BY_POLICY, []);
  await inBatches(db, BY_AMOUNT, [personResponses, personBytes]);
}

/** Repeats until nothing is left: a response can only be deleted after those that continue it. */
async function inBatches(db: Queryable, sql: string, values: readonly unknown[]): Promise<void> {
  for (let dropped = 1; dropped > 0;) dropped = (await db.query(sql, values)).rowCount;
}
