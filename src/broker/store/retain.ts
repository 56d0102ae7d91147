// Deletes what ended long ago. An origin is deleted as a whole, once nothing in it is pending or recent: a child that
// settled early keeps its running parent from executing it again.
import type { Database } from '../../store/database.ts';
import { originOf } from '../protocol/records.ts';
import { forgetLostReplicas } from './replica.ts';
import { throughIndexes } from './through-indexes.ts';

const BATCH = 500;
const BATCHES_MAX = 40;
const UNBLOCK_MAX_AGE_MS = 3_600_000;

/** Each call continues where the previous one stopped. */
export function createRetention(db: Database, retentionMs: number): (stopping: AbortSignal) => Promise<void> {
  let from: Retained['next'];
  return async (stopping) => {
    await forgetLostReplicas(db);
    await deleteStaleUnblocks(db, Date.now() - UNBLOCK_MAX_AGE_MS);
    for (let batch = 0; batch < BATCHES_MAX && !stopping.aborted; batch++) {
      ({ next: from } = await deleteFinished(db, Date.now() - retentionMs, from));
      if (!from) return;
    }
  };
}

export interface Retained {
  readonly origins: number;
  /** Where the next batch begins; undefined at the end. */
  readonly next: { readonly endsAt: number; readonly id: string } | undefined;
}

export async function deleteFinished(db: Database, cutoff: number, from: Retained['next']): Promise<Retained> {
  return throughIndexes(db, async (tx) => {
    const { rows } = await tx.query<{ id: string; ends_at: number }>(
      `select id, ends_at from :schema.broker_promise where ends_at < $1 and (ends_at, id) > ($2, $3) order by ends_at, id limit ${BATCH}`,
      [cutoff, from?.endsAt ?? -1, from?.id ?? ''],
    );
    const last = rows.at(-1);
    if (!last) return { origins: 0, next: undefined };
    const origins = [...new Set(rows.map(({ id }) => originOf(id)))].sort();
    // A step that has read one of these and is about to write waits for this lock, and then finds the origin gone.
    await tx.query('select from :schema.broker_origin where origin = any($1::text[]) order by origin for update', [
      origins,
    ]);
    const finished = await tx.query<{ origin: string }>(
      `select origin from unnest($1::text[]) as origin
       where not exists (select from :schema.broker_promise p where (p.id = origin or (p.id >= origin || ':' and p.id < origin || ';')) and p.ends_at >= $2)`,
      [origins, cutoff],
    );
    const names = finished.rows.map(({ origin }) => origin);
    if (names.length > 0) {
      await tx.query(
        `with gone as (
           delete from :schema.broker_promise p using unnest($1::text[]) as o(origin)
           where p.id = o.origin or (p.id >= o.origin || ':' and p.id < o.origin || ';') returning p.id
         ), origins as (delete from :schema.broker_origin where origin = any($1::text[])),
         tasks as (delete from :schema.broker_task t using gone where t.id = gone.id),
         awaiters as (delete from :schema.broker_awaiter a using gone where a.awaited = gone.id),
         listeners as (delete from :schema.broker_listener l using gone where l.promise = gone.id)
         select count(*) from gone`,
        [names],
      );
    }
    return { origins: names.length, next: rows.length < BATCH ? undefined : { endsAt: last.ends_at, id: last.id } };
  });
}

/** Messages that no stream came for. A listener that still waits has registered again since. */
async function deleteStaleUnblocks(db: Database, cutoff: number): Promise<void> {
  await db.query(
    'delete from :schema.broker_unblock where (queue, promise) in (select queue, promise from :schema.broker_unblock where queued_at < $1 order by queued_at limit 1000)',
    [cutoff],
  );
}
