// Admission: the per-user limit and the budget reservation, for a whole group of requests in one statement. It also
// says whether what this process remembers of the organization still holds, so that one round trip is enough.
import { newId } from '../base/ids.ts';
import type { Database, Queryable } from '../store/database.ts';
import { batch, type Batched } from '../timing/batch.ts';

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
  readonly note?: HoldNote | undefined;
  readonly seatBudgetMicros: number;
  readonly creditMicros: number;
  /** Bounds all platform credit of the deployment in a calendar month; absent when nothing does. */
  readonly ceilingMicros?: number | undefined;
}

/** What is known of a call when it is admitted: it is settled by it if nobody ever says what it used. */
export interface HoldNote {
  readonly leastMicros: number;
  readonly model: string;
  readonly provider: string;
  readonly inputTokens: number;
}

export type Admission =
  | { readonly outcome: 'admitted'; readonly holdId: string | undefined }
  | { readonly outcome: 'rate_limited'; readonly retryAfterMs: number }
  | { readonly outcome: 'quota_exceeded' | 'ceiling_reached' | 'stale' | 'revoked' };

export interface Admit extends Batched<AdmissionRequest, Admission> {
  /** Admits a request by itself, in a transaction of the caller's. */
  within(tx: Queryable, request: AdmissionRequest): Promise<Admission>;
}

export const RATE_WINDOW_SECONDS = 60;
/** Longer than any stream may last, so that a hold is never settled while its request still runs. */
export const HOLD_LIFETIME_SECONDS = 45 * 60;

const PARAMETERS = `$1, $2, $3, $4, $5, '${RATE_WINDOW_SECONDS} seconds', $6, $7, $8, $9, '${HOLD_LIFETIME_SECONDS} seconds', $10, $11, $12, $13, $14`;
const ADMIT_ONE = `select outcome, retry_after_ms from :schema.chat_admit_one(${PARAMETERS})`;
const ADMIT_ALL = `select pos, outcome, retry_after_ms from :schema.chat_admit(${PARAMETERS})`;

export function createAdmit(db: Database): Admit {
  const batched = batch<AdmissionRequest, Admission>({
    lanes: 1,
    most: 200,
    run: async (requests) => {
      const [first] = requests;
      if (first && requests.length === 1) return [await admitOne(db, first)];
      const holds = requests.map(holdFor);
      const { rows } = await db.query<AdmissionRow & { pos: number }>(ADMIT_ALL, [
        ...transpose(requests.map((request, at) => columnsOf(request, holds[at]))),
        lowestCeiling(requests),
      ]);
      const answers: Admission[] = [];
      for (const { pos, outcome, retry_after_ms } of rows)
        answers[pos - 1] = toAdmission(outcome, retry_after_ms, holds[pos - 1]);
      return answers;
    },
  });
  return Object.assign(batched, { within: admitOne });
}

interface AdmissionRow extends Record<string, unknown> {
  outcome: Admission['outcome'];
  retry_after_ms: number;
}

/** A caller who is alone pays for nobody else: scalars instead of lists, and half the time. */
async function admitOne(db: Queryable, request: AdmissionRequest): Promise<Admission> {
  const holdId = holdFor(request);
  const { rows } = await db.query<AdmissionRow>(ADMIT_ONE, [...columnsOf(request, holdId), lowestCeiling([request])]);
  const [row] = rows;
  if (!row) throw new Error('the database did not answer an admission');
  return toAdmission(row.outcome, row.retry_after_ms, holdId);
}

function holdFor({ micros }: AdmissionRequest): string | undefined {
  return micros > 0 ? newId('hold') : undefined;
}

function columnsOf(
  { userId, tokenId, organizationId, version, limit, micros, note, seatBudgetMicros, creditMicros }: AdmissionRequest,
  holdId: string | undefined,
): (string | number | null)[] {
  return [
    userId,
    tokenId ?? null,
    organizationId ?? null,
    version,
    limit,
    holdId ?? null,
    micros,
    seatBudgetMicros,
    creditMicros,
    note?.leastMicros ?? 0,
    note?.model ?? '',
    note?.provider ?? '',
    note?.inputTokens ?? 0,
  ];
}

function lowestCeiling(requests: readonly AdmissionRequest[]): number | null {
  const ceilings = requests.flatMap(({ ceilingMicros }) => ceilingMicros ?? []);
  return ceilings.length === 0 ? null : Math.min(...ceilings);
}

function transpose<T>(rows: readonly T[][]): T[][] {
  return (rows[0] ?? []).map((_, column) => rows.map((row) => row[column] as T));
}

function toAdmission(outcome: Admission['outcome'], retryAfterMs: number, holdId: string | undefined): Admission {
  if (outcome === 'admitted') return { outcome, holdId };
  return outcome === 'rate_limited' ? { outcome, retryAfterMs } : { outcome };
}
