import type { Queryable } from '../../store/database.ts';
import { type PromiseRow, toPromise } from './load-state.ts';
import type { PromiseRecord } from '../protocol/records.ts';

const TAKE = `
  with taken as (
    delete from :schema.broker_unblock u using (
      select k.queue, k.promise from unnest($1::text[]) as q(queue)
      cross join lateral (select * from :schema.broker_unblock b where b.queue = q.queue order by b.promise limit 500 for update skip locked) k
    ) k where u.queue = k.queue and u.promise = k.promise
    returning u.queue, u.promise
  )
  select t.queue, p.id, p.state, p.param, p.value, p.tags, p.timeout_at, p.created_at, p.settled_at
  from taken t cross join lateral (select * from :schema.broker_promise k where k.id = t.promise offset 0) p`;

/** Messages to listeners in these queues that waited for a stream. They are taken out for good. */
export async function takeUnblocks(
  on: Queryable,
  queues: readonly string[],
): Promise<{ queue: string; promise: PromiseRecord }[]> {
  const { rows } = await on.query<PromiseRow & { queue: string } & Record<string, unknown>>(TAKE, [queues]);
  return rows.map((row) => ({ queue: row.queue, promise: toPromise(row) }));
}
