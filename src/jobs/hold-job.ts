import type { Queryable } from '../store/database.ts';
import type { WaitingReason } from './waiting-reasons.ts';

/** Leaves a job where it is, with the reason shown; nobody looks after it until somebody mends what holds it. */
export async function holdJob(on: Queryable, id: string, reason: WaitingReason): Promise<void> {
  await on.query("update :schema.job set waiting_reason = $2, look_at = null, changed_by = pg_current_xact_id() where id = $1 and status in ('queued', 'running')", [id, reason]);
}
