// The tree of a conversation. The branch that the thread shows is in `chat_message`, by position; everything else is in
// `chat_message_version`, each message with the one it follows. Showing another branch moves messages between the two.
// Whatever moves them runs in a transaction that has locked the thread and found no answer being written in it, because
// an answer is stored at the end of what is shown.
import { AppError } from '../base/errors.ts';
import type { MessageVersions } from '../contract/threads.ts';
import type { Queryable, Transaction } from '../store/database.ts';
import type { StoredMessage } from './messages.ts';

/** Of one message. More would make every read of the thread longer. */
export const MOST_VERSIONS = 100;

const COLUMNS = 'id, role, parts, metadata, created_at';

/** The versions of each message that has more than one, oldest first. */
export async function findVersions(
  db: Queryable,
  threadId: string,
  messages: readonly StoredMessage[],
): Promise<ReadonlyMap<string, MessageVersions>> {
  const { rows } = await db.query<{ shown: string; ids: string[] }>(
    `select m.id as shown, array_agg(v.id order by v.created_at, v.id) as ids
       from :schema.chat_message m
       left join :schema.chat_message p on p.thread_id = m.thread_id and p.position = m.position - 1
       cross join lateral (
         select m.id, m.created_at union all
         select o.id, o.created_at from :schema.chat_message_version o where o.thread_id = m.thread_id and o.parent_id = coalesce(p.id, '')
       ) v
      where m.thread_id = $1 and m.id = any($2) group by m.id having count(*) > 1`,
    [threadId, messages.map(({ id }) => id)],
  );
  return new Map(rows.map(({ shown, ids }) => [shown, { ids, index: ids.indexOf(shown), count: ids.length }]));
}

/** The last message that the thread shows: it decides the whole branch. */
export async function findLeaf(db: Queryable, threadId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>(
    'select id from :schema.chat_message where thread_id = $1 order by position desc limit 1',
    [threadId],
  );
  return rows[0]?.id;
}

export async function isVersion(db: Queryable, threadId: string, id: string): Promise<boolean> {
  const { rows } = await db.query('select 1 from :schema.chat_message_version where thread_id = $1 and id = $2', [
    threadId,
    id,
  ]);
  return rows.length > 0;
}

/** Whether anything that is not shown follows a message. */
export async function hasFollowers(db: Queryable, threadId: string, id: string): Promise<boolean> {
  const { rows } = await db.query(
    'select 1 from :schema.chat_message_version where thread_id = $1 and parent_id = $2 limit 1',
    [threadId, id],
  );
  return rows.length > 0;
}

/** How many messages follow the one before this position, apart from the one that is shown. */
export async function countVersions(db: Queryable, threadId: string, position: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from :schema.chat_message_version
      where thread_id = $1 and parent_id = coalesce((select id from :schema.chat_message where thread_id = $1 and position = $2 - 1), '')`,
    [threadId, position],
  );
  return rows[0]?.count ?? 0;
}

/** The thread shows its messages before this position only; the rest is kept as a version. */
export async function setAside(tx: Transaction, threadId: string, position: number): Promise<void> {
  await tx.query(
    `with gone as (delete from :schema.chat_message where thread_id = $1 and position >= $2 returning position, ${COLUMNS})
     insert into :schema.chat_message_version (thread_id, parent_id, id, role, parts, metadata, created_at)
     select $1, coalesce(p.id, ''), g.id, g.role, g.parts, g.metadata, g.created_at
       from gone g left join :schema.chat_message p on p.thread_id = $1 and p.position = g.position - 1`,
    [threadId, position],
  );
  await tx.query('update :schema.chat_thread set messages = $2 where id = $1', [threadId, position]);
}

/** Shows messages that were set aside, in this order, from a position on. */
async function bringBack(tx: Transaction, threadId: string, ids: readonly string[], position: number): Promise<void> {
  await tx.query(
    `with back as (delete from :schema.chat_message_version where thread_id = $1 and id = any($2) returning ${COLUMNS})
     insert into :schema.chat_message (thread_id, position, ${COLUMNS})
     select $1, $3 + array_position($2::text[], b.id) - 1, b.id, b.role, b.parts, b.metadata, b.created_at from back b`,
    [threadId, ids, position],
  );
  await tx.query('update :schema.chat_thread set messages = $2 where id = $1', [threadId, position + ids.length]);
}

// From the version up to the first that follows a shown message, then down along what was shown last.
const BRANCH = `
with recursive up as (
  select v.id, v.parent_id, 0 as depth from :schema.chat_message_version v where v.thread_id = $1 and v.id = $2
  union all
  select v.id, v.parent_id, u.depth - 1 from up u join :schema.chat_message_version v on v.thread_id = $1 and v.id = u.parent_id
), down as (
  select u.id, u.parent_id, 0 as depth from up u where u.depth = 0
  union all
  select c.id, c.parent_id, d.depth + 1 from down d cross join lateral (
    select v.id, v.parent_id from :schema.chat_message_version v
     where v.thread_id = $1 and v.parent_id = d.id order by v.shown_at desc, v.id desc limit 1
  ) c
)
select b.id, b.parent_id, m.position as parent_position
  from (select * from up union select * from down) b
  left join :schema.chat_message m on m.thread_id = $1 and m.id = b.parent_id
 order by b.depth`;

/** Shows the branch of a message, to where it was left. Nothing changes if it is shown already. */
export async function showBranch(tx: Transaction, threadId: string, id: string): Promise<void> {
  if ((await findPosition(tx, threadId, id)) !== undefined) return;
  const { rows } = await tx.query<{ id: string; parent_id: string; parent_position: number | null }>(BRANCH, [
    threadId,
    id,
  ]);
  const [first] = rows;
  // A build that knows no versions may have deleted the message that this one follows.
  if (!first || (first.parent_id !== '' && first.parent_position === null)) throw new AppError('not_found');
  const position = (first.parent_position ?? -1) + 1;
  await setAside(tx, threadId, position);
  await bringBack(
    tx,
    threadId,
    rows.map((row) => row.id),
    position,
  );
}

/**
 * Deletes a message with everything that followed it. If it was shown, the version before it takes its place, or else
 * the one after it; without another version the conversation ends before it.
 */
export async function removeBranch(tx: Transaction, threadId: string, id: string): Promise<void> {
  const position = await findPosition(tx, threadId, id);
  if (position !== undefined) {
    const { rows } = await tx.query<{ id: string }>(
      `select v.id from :schema.chat_message_version v, :schema.chat_message m
        where m.thread_id = $1 and m.id = $2 and v.thread_id = $1
          and v.parent_id = coalesce((select p.id from :schema.chat_message p where p.thread_id = $1 and p.position = m.position - 1), '')
        order by (v.created_at, v.id) < (m.created_at, m.id) desc,
                 abs(extract(epoch from v.created_at - m.created_at)), v.id limit 1`,
      [threadId, id],
    );
    await setAside(tx, threadId, position);
    if (rows[0]) await showBranch(tx, threadId, rows[0].id);
  }
  const { rowCount } = await tx.query(
    `with recursive gone as (
       select v.id from :schema.chat_message_version v where v.thread_id = $1 and v.id = $2
       union all
       select v.id from gone g join :schema.chat_message_version v on v.thread_id = $1 and v.parent_id = g.id
     ), rated as (delete from :schema.chat_feedback f using gone g where f.message_id = g.id)
     delete from :schema.chat_message_version v using gone g where v.id = g.id`,
    [threadId, id],
  );
  if (rowCount === 0) throw new AppError('not_found');
}

async function findPosition(db: Queryable, threadId: string, id: string): Promise<number | undefined> {
  const { rows } = await db.query<{ position: number }>(
    'select position from :schema.chat_message where thread_id = $1 and id = $2',
    [threadId, id],
  );
  return rows[0]?.position;
}
