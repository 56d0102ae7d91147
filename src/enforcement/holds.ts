// What happens to an open hold besides its settlement (budget.ts): it is noted, released or reaped.
import type { Log } from '../telemetry/log.ts';
import type { Queryable } from '../store/database.ts';
import { LOST_AFTER_SECONDS } from '../store/process-registry.ts';
import { batch } from '../timing/batch.ts';
import { retryFault } from '../timing/retry-fault.ts';

/** The process that admits. It has announced itself: the holds of one that nobody sees are settled by others. */
export interface AdmittingProcess {
  readonly processId: string;
  readonly log: Log;
  /** Aborted once the process can no longer wait for the database. */
  readonly stopping?: AbortSignal | undefined;
}

/** Longer than any stream may last, so that a hold is never reaped while its request is running. */
export const HOLD_LIFETIME_SECONDS = 45 * 60;

export interface Release {
  (holdId: string): void;
  drain(): Promise<void>;
}

/** While the database is away, more than this many are left to expire. */
const MOST_RELEASED = 10_000;
const RELEASE = `select :schema.chat_abandon($1, $2, '${HOLD_LIFETIME_SECONDS} seconds')`;

/**
 * Returns a hold in full, because no model was called, as soon as the database answers. It need not be open: if the answer
 * to an admission was lost, its hold may be open, about to be, or neither. If this process ends first, its holds are those
 * of a lost one.
 */
export function createRelease(db: Queryable, { processId, log, stopping }: AdmittingProcess): Release {
  const release = batch<string, void>({
    lanes: 1,
    most: 1,
    run: async ([holdId]) => {
      await retryFault(() => db.query(RELEASE, [holdId, processId]), {
        patienceMs: HOLD_LIFETIME_SECONDS * 1_000,
        signal: stopping,
      });
      return [undefined];
    },
  });
  const add = (holdId: string): void => {
    if (release.waiting() >= MOST_RELEASED) return;
    release(holdId).catch((error: unknown) =>
      log.error({ err: error, holdId }, 'could not release hold; it will be settled at the minimum by the reaper'),
    );
  };
  return Object.assign(add, { drain: release.drain });
}

const REAPED_AT_ONCE = 100;

/**
 * Settles the holds of lost processes, and those that have expired. Any process may run it; only one that is announced can
 * tell who is lost.
 */
export async function reapHolds(db: Queryable, processId = '', stopping?: AbortSignal): Promise<number> {
  for (let reaped = 0; ;) {
    const { rows } = await db.query<{ reaped: number }>(
      'select :schema.chat_reap($1, $2, make_interval(secs => $3)) as reaped',
      [REAPED_AT_ONCE, processId, LOST_AFTER_SECONDS],
    );
    const count = rows[0]?.reaped ?? 0;
    reaped += count;
    if (count === 0 || stopping?.aborted === true) return reaped;
  }
}

export interface Noted {
  readonly holdId: string;
  /** Null if the price is unknown. */
  readonly costMicros: number | null;
  readonly outputTokens: number;
}

/** Records the cost so far of answers in progress; they are settled at that if this process is killed. */
export async function noteHolds(db: Queryable, noted: readonly Noted[]): Promise<void> {
  await db.query('select :schema.chat_note($1, $2, $3)', [
    noted.map(({ holdId }) => holdId),
    noted.map(({ costMicros }) => costMicros),
    noted.map(({ outputTokens }) => outputTokens),
  ]);
}
