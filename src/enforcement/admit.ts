// Admission: the per-user limit and the budget reservation, for a whole group of requests in one statement. It also
// says whether what this process remembers of the organization still holds, so that one round trip is enough.
import { newId } from '../base/ids.ts';
import type { Database } from '../store/database.ts';
import { type Grouped, groupCalls } from './group-calls.ts';

export interface AdmissionRequest {
  readonly userId: string;
  readonly tokenId: string | undefined;
  readonly organizationId: string | undefined;
  /** Of the organization's settings, as they were read. */
  readonly version: number;
  /** Accepted requests in any window; 0 when the limit is off or kept elsewhere. */
  readonly limit: number;
  /** What to reserve; 0 when an override pays or the request is refused anyway. */
  readonly micros: number;
  readonly seatBudgetMicros: number;
  readonly creditMicros: number;
}

export type Admission =
  | { readonly outcome: 'admitted'; readonly holdId: string | undefined }
  | { readonly outcome: 'rate_limited'; readonly retryAfterMs: number }
  | { readonly outcome: 'quota_exceeded' | 'stale' | 'revoked' };

export type Admit = Grouped<AdmissionRequest, Admission>;

export const RATE_WINDOW_SECONDS = 60;
/** Longer than any stream may last, so that a hold never goes back while its request still runs. */
export const HOLD_LIFETIME_SECONDS = 45 * 60;

const ADMIT = `select pos, outcome, retry_after_ms from :schema.chat_admit($1, $2, $3, $4, $5, make_interval(secs => ${RATE_WINDOW_SECONDS}), $6, $7, $8, $9, make_interval(secs => ${HOLD_LIFETIME_SECONDS}))`;

export function createAdmit(db: Database): Admit {
  return groupCalls<AdmissionRequest, Admission>({
    lanes: 2,
    most: 200,
    run: async (requests) => {
      const holds = requests.map(({ micros }) => (micros > 0 ? newId('hold') : undefined));
      const { rows } = await db.query<{ pos: number; outcome: Admission['outcome']; retry_after_ms: number }>(ADMIT, [
        requests.map((r) => r.userId),
        requests.map((r) => r.tokenId ?? null),
        requests.map((r) => r.organizationId ?? null),
        requests.map((r) => r.version),
        requests.map((r) => r.limit),
        holds.map((hold) => hold ?? null),
        requests.map((r) => r.micros),
        requests.map((r) => r.seatBudgetMicros),
        requests.map((r) => r.creditMicros),
      ]);
      const answers: Admission[] = [];
      for (const { pos, outcome, retry_after_ms } of rows) {
        const at = pos - 1;
        answers[at] = outcome === 'admitted' ? { outcome, holdId: holds[at] } : outcome === 'rate_limited' ? { outcome, retryAfterMs: retry_after_ms } : { outcome };
      }
      return answers;
    },
  });
}
