// Ratings of answers as rows. A person rates answers of their own threads only; owners and admins of the organization
// read what was rated, and the text of the chat only where the person included it. That text is a copy of the moment:
// what the person writes later is not part of it, and taking it out deletes it.
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { FeedbackEntry, GivenFeedback, Rating } from '../contract/feedback/feedback.ts';
import { FEEDBACK_LIMITS } from '../contract/feedback/feedback-limits.ts';
import type { Message } from '../contract/threads.ts';
import type { Queryable } from '../store/database.ts';
import { withinBytes } from '../tenancy/paging.ts';

export interface RatedAnswer {
  readonly userId: string;
  readonly threadId: string;
  readonly messageId: string;
}

const textOf = (message: string): string =>
  `(select left(string_agg(p.part ->> 'text', E'\\n\\n' order by p.at), ${FEEDBACK_LIMITS.text})
      from jsonb_array_elements(${message}.parts) with ordinality p (part, at) where p.part ->> 'type' = 'text')`;

/** Thread `t` of user $1, who is still in its organization. */
const OWN = `t.id = $2 and t.user_id = $1
  and exists (select 1 from :schema.acting_member o where o.organization_id = t.organization_id and o.user_id = t.user_id)`;

const GIVE = `
insert into :schema.chat_feedback as f (id, message_id, thread_id, organization_id, workspace_id, user_id, project_id, rating, reason, model, served, question, answer)
select $4, m.id, t.id, t.organization_id, t.workspace_id, t.user_id, t.project_id, $5, $6, coalesce(m.metadata ->> 'model', ''), coalesce(m.metadata ->> 'served', ''),
       case when $7 then coalesce(${textOf('q')}, '') end, case when $7 then coalesce(${textOf('m')}, '') end
  from :schema.chat_thread t
  join :schema.chat_message m on m.thread_id = t.id and m.id = $3 and m.role = 'assistant'
  left join :schema.chat_message q on q.thread_id = t.id and q.position = m.position - 1
 where ${OWN}
on conflict (message_id) do update set rating = excluded.rating, reason = excluded.reason, question = excluded.question,
       answer = excluded.answer, updated_at = now()
returning f.rating, f.reason, f.answer is not null as include`;

export async function giveFeedback(
  db: Queryable,
  { userId, threadId, messageId }: RatedAnswer,
  {
    rating,
    reason = '',
    include = false,
  }: { rating: Rating; reason?: string | undefined; include?: boolean | undefined },
): Promise<GivenFeedback> {
  const values = [userId, threadId, messageId, newId('fbk'), rating, reason, include];
  const { rows } = await db.query<GivenRow>(GIVE, values);
  if (rows[0]) return { rating: rows[0].rating, reason: rows[0].reason, include: rows[0].include };
  const { rows: asked } = await db.query(
    `select 1 from :schema.chat_thread t join :schema.chat_message m on m.thread_id = t.id and m.id = $3 where ${OWN}`,
    [userId, threadId, messageId],
  );
  throw asked.length > 0
    ? new AppError('invalid_request', { message: 'must be an answer' })
    : new AppError('not_found');
}

export async function withdrawFeedback(db: Queryable, { userId, threadId, messageId }: RatedAnswer): Promise<void> {
  const { rowCount } = await db.query(
    `delete from :schema.chat_feedback f using :schema.chat_thread t where f.message_id = $3 and f.thread_id = t.id and ${OWN}`,
    [userId, threadId, messageId],
  );
  if (rowCount === 0) throw new AppError('not_found');
}

interface GivenRow extends Record<string, unknown>, GivenFeedback {
  message_id: string;
}

/** What the owner of a thread has said about these messages. */
export async function findFeedback(
  db: Queryable,
  threadId: string,
  messages: readonly Pick<Message, 'id'>[],
): Promise<ReadonlyMap<string, GivenFeedback>> {
  const { rows } = await db.query<GivenRow>(
    'select message_id, rating, reason, answer is not null as include from :schema.chat_feedback where thread_id = $1 and message_id = any($2)',
    [threadId, messages.map(({ id }) => id)],
  );
  return new Map(rows.map(({ message_id, rating, reason, include }) => [message_id, { rating, reason, include }]));
}

export interface FeedbackPage {
  readonly organizationId: string;
  readonly rating?: Rating | undefined;
  readonly model?: string | undefined;
  readonly project?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The last entry of the page before. */
  readonly after: string;
  readonly limit: number;
}

interface EntryRow extends Record<string, unknown> {
  id: string;
  rating: Rating;
  reason: string;
  model: string;
  served: string;
  project_id: string | null;
  workspace_id: string;
  thread_id: string;
  message_id: string;
  user_id: string;
  question: string | null;
  answer: string | null;
  created_at: Date;
  updated_at: Date;
}

const MATCHES = `f.organization_id = $1 and ($2::text is null or f.rating = $2) and ($3::text is null or f.model = $3 or f.served = $3)
  and ($4::text is null or f.project_id = $4) and ($5::date is null or f.created_at >= $5::date::timestamp at time zone 'UTC')
  and ($6::date is null or f.created_at < ($6::date + 1)::timestamp at time zone 'UTC')`;

/** The latest first, and how many there are of each rating. For those who manage the organization. */
export async function listFeedback(
  db: Queryable,
  { organizationId, rating, model, project, from, to, after, limit }: FeedbackPage,
): Promise<{ entries: FeedbackEntry[]; found: number; total: { up: number; down: number } }> {
  if (from !== undefined && to !== undefined && from > to)
    throw new AppError('invalid_request', { from: 'must not be after to' });
  const matches = [organizationId, rating ?? null, model ?? null, project ?? null, from ?? null, to ?? null];
  const { rows } = await db.query<EntryRow & { found: number }>(
    withinBytes(
      `select f.id, f.rating, f.reason, f.model, f.served, f.project_id, f.workspace_id, f.thread_id, f.message_id, f.user_id, f.question, f.answer, f.created_at, f.updated_at
         from :schema.chat_feedback f where ${MATCHES} and ($7 = '' or f.id < $7) order by f.id desc limit $8`,
      { order: 'q.id desc', bytes: "octet_length(coalesce(q.question, '')) + octet_length(coalesce(q.answer, ''))" },
    ),
    [...matches, after, limit],
  );
  const { rows: sums } = await db.query<{ up: number; down: number }>(
    `select count(*) filter (where f.rating = 'up')::int as up, count(*) filter (where f.rating = 'down')::int as down
       from :schema.chat_feedback f where ${MATCHES}`,
    matches,
  );
  const { up = 0, down = 0 } = sums[0] ?? {};
  return { entries: rows.map(toEntry), found: rows[0]?.found ?? 0, total: { up, down } };
}

function toEntry(row: EntryRow): FeedbackEntry {
  return {
    id: row.id,
    rating: row.rating,
    reason: row.reason,
    model: row.model,
    ...(row.served === '' ? {} : { served: row.served }),
    ...(row.project_id === null ? {} : { project: row.project_id }),
    workspace: row.workspace_id,
    thread: row.thread_id,
    message: row.message_id,
    member: row.user_id,
    ...(row.question === null ? {} : { question: row.question }),
    ...(row.answer === null ? {} : { answer: row.answer }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
