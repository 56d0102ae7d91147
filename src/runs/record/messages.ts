// What is said to a run while it works. The row of the run counts its messages, and how many of them the run has read, so
// that the statement that adds one and the one that completes the run wait for each other: a message is refused because
// the run has ended, or the run does not complete before it has read it. Nothing else is a lock.
import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Database, Queryable } from '../../store/database.ts';
import type { Run } from './run.ts';

export interface RunMessage {
  /** The first of a run has 1. */
  readonly number: number;
  readonly id: string;
  readonly text: string;
  readonly createdBy: string;
  readonly createdAt: Date;
}

export const MESSAGE_LIMITS = { perRun: 100 } as const;

const ADD = `
with told as (
  update :schema.job set messages = messages + 1, changed_by = pg_current_xact_id()
    where id = $1 and status in ('queued', 'running') and messages < ${MESSAGE_LIMITS.perRun}
    returning id, messages
)
insert into :schema.run_message (job_id, number, id, text, created_by, created_at, key)
  select id, messages, $2, $3, $4, now(), $5 from told
  returning number, created_at`;

const IS_OVER = 'select ended_at is not null as over from :schema.job where id = $1';

interface Said extends Pick<RunMessage, 'text' | 'createdBy'> {
  /** The same person says nothing twice to a run under the same key. */
  readonly key?: string | undefined;
}

export interface SaidMessage extends RunMessage {
  /** Whether the run has read it. */
  readonly read: boolean;
}

/** Undefined when the run has ended. Who may speak to it is for the caller to check. */
export async function addMessage(
  on: Queryable,
  { id: runId }: Pick<Run, 'id'>,
  { text, createdBy, key }: Said,
): Promise<SaidMessage | undefined> {
  const id = newId('msg');
  const { rows } = await on.query<{ number: number; created_at: Date }>(ADD, [runId, id, text, createdBy, key]);
  const [added] = rows;
  if (added) return { number: added.number, id, text, createdBy, createdAt: added.created_at, read: false };
  const [run] = (await on.query<{ over: boolean }>(IS_OVER, [runId])).rows;
  if (run?.over === false) throw new AppError('too_many_messages', { limit: MESSAGE_LIMITS.perRun });
  return undefined;
}

/** The same, unless this was said to it under the same key before. */
export async function addMessageOnce(db: Database, run: Pick<Run, 'id'>, said: Said): Promise<SaidMessage | undefined> {
  if (said.key === undefined) return addMessage(db, run, said);
  return db.transaction(async (tx) => {
    // Two requests with one key wait for each other here.
    await tx.query('select from :schema.job where id = $1 for update', [run.id]);
    return (await findSaid(tx, run, said)) ?? (await addMessage(tx, run, said));
  });
}

const BY_KEY = `
select m.number, m.id, m.text, m.created_by, m.created_at, m.number <= j.messages_read as read
from :schema.run_message m join :schema.job j on j.id = m.job_id
where m.job_id = $1 and m.created_by = $2 and m.key = $3`;

/** What this person said to the run under this key. Another text under the same key is refused. */
export async function findSaid(
  on: Queryable,
  { id }: Pick<Run, 'id'>,
  { text, createdBy, key }: Said,
): Promise<SaidMessage | undefined> {
  if (key === undefined) return undefined;
  const { rows } = await on.query<MessageRow & { read: boolean }>(BY_KEY, [id, createdBy, key]);
  const [row] = rows;
  if (row && row.text !== text) throw new AppError('idempotency_conflict');
  return row && { ...toMessage(row), read: row.read };
}

interface MessageRow extends Record<string, unknown> {
  number: number;
  id: string;
  text: string;
  created_by: string;
  created_at: Date;
}

const LIST =
  'select number, id, text, created_by, created_at from :schema.run_message where job_id = $1 and number > $2 order by number';

/** Those above a number, in order. */
export async function listMessages(on: Queryable, runId: string, afterNumber: number): Promise<RunMessage[]> {
  const { rows } = await on.query<MessageRow>(LIST, [runId, afterNumber]);
  return rows.map(toMessage);
}

const UNREAD = `
select number, id, text, created_by, created_at from (
  select m.*, sum(octet_length(m.text)) over (order by m.number) as bytes
  from :schema.run_message m join :schema.job j on j.id = m.job_id where j.id = $1 and m.number > j.messages_read
) u where bytes <= $2 order by number`;

/** The first of those that the run has not read, as many as are small enough together; if it has ended, it never will. */
export async function listUnread(on: Queryable, runId: string, mostBytes: number): Promise<RunMessage[]> {
  const { rows } = await on.query<MessageRow>(UNREAD, [runId, mostBytes]);
  return rows.map(toMessage);
}

const HAS_UNREAD =
  'select 1 from :schema.job where id = $1 and head_idx = $2 and ended_at is null and messages > messages_read';

/** Whether messages are why a run that the caller saw at this head is not completed. */
export async function hasUnread(on: Queryable, { id, head }: Pick<Run, 'id' | 'head'>): Promise<boolean> {
  return (await on.query(HAS_UNREAD, [id, head.index])).rowCount === 1;
}

function toMessage({ number, id, text, created_by, created_at }: MessageRow): RunMessage {
  return { number, id, text, createdBy: created_by, createdAt: created_at };
}
