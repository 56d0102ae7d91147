// Runs that have ended and whose person wants a mail. The end of a run notes it in its own statement (job_move); the mail
// itself is encrypted, so a control run writes it: one per person for all that ended since.
import type { Queryable } from '../../store/database.ts';

export interface RunMail {
  readonly address: string;
  readonly completed: number;
  readonly failed: number;
  readonly aborted: number;
  /** Where to look, if it is a single run. */
  readonly run?: { readonly id: string; readonly organization: string };
}

interface RunMailRow extends Record<string, unknown> {
  address: string;
  completed: number;
  failed: number;
  aborted: number;
  job: string;
  organization: string;
}

const PEOPLE_AT_ONCE = 100;

export async function areRunMailsDue(db: Queryable): Promise<boolean> {
  return (await db.query('select 1 from :schema.run_mail limit 1')).rowCount > 0;
}

/** Someone who is no longer a member, or does not want it any longer, is told nothing. */
const TAKE = `
with person as (select distinct user_id from :schema.run_mail limit ${PEOPLE_AT_ONCE}),
taken as (delete from :schema.run_mail r using person p where r.user_id = p.user_id returning r.job_id, r.user_id),
told as (
  select u.email as address, count(*) filter (where j.status = 'completed')::int as completed, count(*) filter (where j.status = 'failed')::int as failed,
         count(*) filter (where j.status = 'aborted')::int as aborted, min(j.id) as job, min(o.slug) as organization
    from taken t join :schema.job j on j.id = t.job_id join :schema.identity_user u on u.id = t.user_id and u.run_mails
    join :schema.acting_member a on a.organization_id = j.organization_id and a.user_id = t.user_id
    join :schema.organization o on o.id = j.organization_id
   group by u.email
)
select (select count(*)::int from taken) as taken, coalesce((select json_agg(told) from told), '[]') as told`;

/** `taken` is 0 once nobody waits. They are not due again once the transaction is committed. */
export async function takeRunMails(tx: Queryable): Promise<{ readonly taken: number; readonly mails: RunMail[] }> {
  const { rows } = await tx.query<{ taken: number; told: RunMailRow[] }>(TAKE);
  const { taken = 0, told = [] } = rows[0] ?? {};
  return { taken, mails: told.map(toMail) };
}

function toMail({ job, organization, ...rest }: RunMailRow): RunMail {
  const isSingle = rest.completed + rest.failed + rest.aborted === 1;
  return isSingle ? { ...rest, run: { id: job, organization } } : rest;
}

/** Those that no mail was sent for within a day, because no mail server is set up any longer. */
export async function pruneRunMails(db: Queryable): Promise<number> {
  return (await db.query("delete from :schema.run_mail where created_at < now() - interval '1 day'")).rowCount;
}
