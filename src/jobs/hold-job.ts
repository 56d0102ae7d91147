import type { Queryable } from '../store/database.ts';
import type { WaitingReason } from './waiting-reasons.ts';

/** Leaves a job where it is, with the reason shown. It is looked after again in so many seconds, or once somebody mends what holds it. */
export async function holdJob(on: Queryable, id: string, reason: WaitingReason, againSeconds?: number): Promise<void> {
  await on.query("update :schema.job set waiting_reason = $2, look_at = now() + make_interval(secs => $3), changed_by = pg_current_xact_id() where id = $1 and status in ('queued', 'running')", [id, reason, againSeconds ?? null]);
}
