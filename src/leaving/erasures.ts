// What is to be erased. The run that does it is recorded in the transaction that asks for it, so neither is lost without
// the other; one that could not finish is begun again by the schedule of control runs.
import type { Database, Queryable, Transaction } from '../store/database.ts';
import { startControlRun } from '../runs/delivery/control-tasks.ts';
import type { Subject } from './data-table.ts';

export interface Erasure {
  readonly kind: Subject;
  readonly id: string;
}

/** Asked for again, it stays as it was. Without a day it is due now. Returns when it is due. */
export async function askErasure(
  tx: Transaction,
  { kind, id, askedBy, at, dueAt = at }: Erasure & { askedBy: string; at: Date; dueAt?: Date },
): Promise<Date> {
  const { rows } = await tx.query<{ due_at: Date }>(
    `insert into :schema.erasure (kind, subject_id, asked_by, asked_at, due_at) values ($1, $2, $3, $4, $5)
     on conflict (kind, subject_id) do update set due_at = erasure.due_at returning due_at`,
    [kind, id, askedBy, at, dueAt],
  );
  if (dueAt <= at) await startControlRun(tx, 'erase', { actor: askedBy, idempotencyKey: `erase/${kind}/${id}`, at });
  return rows[0]?.due_at ?? dueAt;
}

/** Returns false if it has begun, or is due: then it cannot be taken back. */
export async function withdrawErasure(tx: Transaction, { kind, id }: Erasure, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    'delete from :schema.erasure where kind = $1 and subject_id = $2 and due_at > $3 and finished_at is null',
    [kind, id, now],
  );
  return rowCount > 0;
}

export async function listDueErasures(db: Queryable, now: Date): Promise<Erasure[]> {
  const { rows } = await db.query<{ kind: Subject; id: string }>(
    'select kind, subject_id as id from :schema.erasure where finished_at is null and due_at <= $1 order by due_at limit 100',
    [now],
  );
  return rows;
}

export async function finishErasure(db: Database, { kind, id }: Erasure, now: Date): Promise<void> {
  await db.query('update :schema.erasure set finished_at = $3 where kind = $1 and subject_id = $2', [kind, id, now]);
}
