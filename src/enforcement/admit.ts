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

const ADMIT_ONE = `select outcome, retry_after_ms from :schema.chat_admit_one($1, $2, $3, $4, $5, '${RATE_WINDOW_SECONDS} seconds', $6, $7, $8, $9, '${HOLD_LIFETIME_SECONDS} seconds')`;
const ADMIT_ALL = `select pos, outcome, retry_after_ms from :schema.chat_admit($1, $2, $3, $4, $5, '${RATE_WINDOW_SECONDS} seconds', $6, $7, $8, $9, '${HOLD_LIFETIME_SECONDS} seconds')`;

export function createAdmit(db: Database): Admit {
  return groupCalls<AdmissionRequest, Admission>({
    lanes: 1,
    most: 200,
    run: async (requests) => {
      const [first] = requests;
      if (first && requests.length === 1) return [await admitOne(db, first)];
      const holds = requests.map(({ micros }) => (micros > 0 ? newId('hold') : undefined));
      const { rows } = await db.query<{ pos: number; outcome: Admission['outcome']; retry_after_ms: number }>(ADMIT_ALL, [
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
        answers[at] = toAdmission(outcome, retry_after_ms, holds[at]);
      }
      return answers;
    },
  });
}

/** A caller who is alone pays for nobody else: scalars instead of lists, and half the time. */
async function admitOne(db: Database, { userId, tokenId, organizationId, version, limit, micros, seatBudgetMicros, creditMicros }: AdmissionRequest): Promise<Admission> {
  const hold = micros > 0 ? newId('hold') : undefined;
  const { rows } = await db.query<{ outcome: Admission['outcome']; retry_after_ms: number }>(ADMIT_ONE, [userId, tokenId ?? null, organizationId ?? null, version, limit, hold ?? null, micros, seatBudgetMicros, creditMicros]);
  const [row] = rows;
  if (!row) throw new Error('the database did not answer an admission');
  return toAdmission(row.outcome, row.retry_after_ms, hold);
}

function toAdmission(outcome: Admission['outcome'], retryAfterMs: number, holdId: string | undefined): Admission {
  if (outcome === 'admitted') return { outcome, holdId };
  return outcome === 'rate_limited' ? { outcome, retryAfterMs } : { outcome };
}
