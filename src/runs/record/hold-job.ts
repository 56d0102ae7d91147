import type { Queryable } from '../../store/database.ts';
import type { WaitingReason } from './waiting-reasons.ts';

export interface HoldOptions {
  /** It is looked after again then; without, once somebody fixes what holds it. */
  readonly againSeconds?: number;
  /** What exactly is wrong with it, where the reason alone does not tell. */
  readonly error?: string;
}

const HOLD = `
update :schema.job set waiting_reason = $2, look_at = now() + make_interval(secs => $3), error = $4, changed_by = pg_current_xact_id()
where id = $1 and status in ('queued', 'running')`;

/** Leaves a job where it is, with the reason shown. */
export async function holdJob(
  on: Queryable,
  id: string,
  reason: WaitingReason,
  { againSeconds, error }: HoldOptions = {},
): Promise<void> {
  await on.query(HOLD, [id, reason, againSeconds ?? null, error ?? null]);
}
