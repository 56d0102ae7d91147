// The two ends of a chat request's budget. Admission checks the per-user limit, reserves the budget and takes the amount
// from every cap, for a whole batch of requests in one statement; the same statement reports whether the cached settings
// of the organization still hold, which saves a second round trip. Settlement records actual usage, by person, workspace
// and token, and logs the request, batched and off the request path. A hold is
// closed exactly once; if its process dies, the reaper settles it at the least the request can have cost.
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { CapSubject, SpendSurface } from '../contract/spend.ts';
import type { Database, Queryable } from '../store/database.ts';
import { batch, type Batched } from '../timing/batch.ts';

/** What a request is counted for, besides its user. */
export interface SpendTag {
  readonly workspaceId: string;
  /** The first id of the named token's line; empty without one. */
  readonly tokenId: string;
  readonly surface: SpendSurface;
  /** As in `x-request-id`. */
  readonly requestId: string;
}

export interface AdmissionRequest {
  readonly userId: string;
  readonly spend?: SpendTag | undefined;
  /** Whether an own key pays and the organization has caps; they refuse it once what is settled has reached them. */
  readonly checksCaps?: boolean;
  readonly tokenId: string | undefined;
  readonly organizationId: string | undefined;
  /** The version of the organization's settings the decision was based on. */
  readonly version: number;
  /** Accepted requests per window; 0 if the limit is off or enforced elsewhere. */
  readonly limit: number;
  /** The amount to reserve; 0 if an override pays or the request is refused anyway. */
  readonly micros: number;
  readonly note?: HoldNote | undefined;
  readonly seatBudgetMicros: number;
  readonly creditMicros: number;
  /** Caps the platform credit of the whole deployment per calendar month; absent if there is no cap. */
  readonly ceilingMicros?: number | undefined;
}

/** What is known when a call is admitted. It is settled by this if its usage is never reported. */
export interface HoldNote {
  readonly leastMicros: number;
  readonly model: string;
  readonly provider: string;
  readonly inputTokens: number;
}

export type Admission =
  | { readonly outcome: 'admitted'; readonly holdId: string | undefined; readonly roomMicros?: number }
  | { readonly outcome: 'rate_limited'; readonly retryAfterMs: number }
  | { readonly outcome: 'cap_reached'; readonly cap: ReachedCap }
  | { readonly outcome: 'quota_exceeded' | 'ceiling_reached' | 'stale' | 'revoked' };

export interface ReachedCap {
  readonly subject: CapSubject;
  readonly limitMicros: number;
  readonly resetsAt: string;
}

export interface Admit extends Batched<AdmissionRequest, Admission> {
  /** Admits a single request in the caller's transaction. */
  within(tx: Queryable, request: AdmissionRequest): Promise<Admission>;
}

export const RATE_WINDOW_SECONDS = 60;
/** Longer than any stream may last, so that a hold is never reaped while its request is running. */
export const HOLD_LIFETIME_SECONDS = 45 * 60;

const PARAMETERS = `$1, $2, $3, $4, $5, '${RATE_WINDOW_SECONDS} seconds', $6, $7, $8, $9, '${HOLD_LIFETIME_SECONDS} seconds', $10, $11, $12, $13, $14, $15, $16, $17, $18, $19`;
const ADMIT_ONE = `select outcome, retry_after_ms, cap from :schema.chat_admit_one(${PARAMETERS})`;
const ADMIT_ALL = `select pos, outcome, retry_after_ms, cap from :schema.chat_admit(${PARAMETERS})`;

export function createAdmit(db: Database): Admit {
  const batched = batch<AdmissionRequest, Admission>({
    lanes: 1,
    most: 200,
    run: async (requests) => {
      const [first] = requests;
      if (first && requests.length === 1) return [await admitOne(db, first)];
      const holds = requests.map(newHoldId);
      const { rows } = await db.query<AdmissionRow & { pos: number }>(ADMIT_ALL, [
        ...transpose(requests.map((request, at) => admissionColumns(request, holds[at]))),
        lowestCeiling(requests),
      ]);
      const answers: Admission[] = [];
      for (const row of rows) answers[row.pos - 1] = toAdmission(row, holds[row.pos - 1]);
      return answers;
    },
  });
  return Object.assign(batched, { within: admitOne });
}

interface AdmissionRow extends Record<string, unknown> {
  outcome: Admission['outcome'];
  retry_after_ms: number;
  cap: { kind: CapSubject['kind']; id: string; limitMicros: number; resetsAt: string } | { roomMicros: number } | null;
}

/** A single request avoids the batch: scalars instead of arrays take half the time. */
async function admitOne(db: Queryable, request: AdmissionRequest): Promise<Admission> {
  const holdId = newHoldId(request);
  const { rows } = await db.query<AdmissionRow>(ADMIT_ONE, [
    ...admissionColumns(request, holdId),
    lowestCeiling([request]),
  ]);
  const [row] = rows;
  if (!row) throw new Error('the database returned no admission row');
  return toAdmission(row, holdId);
}

function newHoldId({ micros }: AdmissionRequest): string | undefined {
  return micros > 0 ? newId('hold') : undefined;
}

function admissionColumns(request: AdmissionRequest, holdId: string | undefined): (string | number | boolean | null)[] {
  const { userId, tokenId, organizationId, version, limit, micros, seatBudgetMicros, creditMicros, note, spend } =
    request;
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
    spend?.workspaceId ?? '',
    spend?.tokenId ?? '',
    spend?.surface ?? '',
    spend?.requestId ?? '',
    request.checksCaps ?? false,
  ];
}

function lowestCeiling(requests: readonly AdmissionRequest[]): number | null {
  const ceilings = requests.flatMap(({ ceilingMicros }) => ceilingMicros ?? []);
  return ceilings.length === 0 ? null : Math.min(...ceilings);
}

function toAdmission({ outcome, retry_after_ms, cap }: AdmissionRow, holdId: string | undefined): Admission {
  switch (outcome) {
    case 'admitted':
      return { outcome, holdId, ...(cap && 'roomMicros' in cap ? { roomMicros: cap.roomMicros } : {}) };
    case 'rate_limited':
      return { outcome, retryAfterMs: retry_after_ms };
    case 'cap_reached': {
      if (!cap || 'roomMicros' in cap) throw new Error('the database named no cap');
      const { kind, id, limitMicros, resetsAt } = cap;
      return { outcome, cap: { subject: { kind, id }, limitMicros, resetsAt } };
    }
    default:
      return { outcome };
  }
}

export type Credential = 'models-account' | 'own-key' | 'platform';

export interface Settlement {
  readonly organizationId: string;
  readonly userId: string;
  readonly spend: SpendTag;
  /** Undefined if an override paid and nothing was reserved; the cost is then the list price, charged to no budget. */
  readonly holdId: string | undefined;
  readonly costMicros: number;
  readonly model: string;
  readonly provider: string;
  /** Empty if the request was refused before it was known who pays. */
  readonly credential: Credential | '';
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** False if nothing was used: the request is only logged. */
  readonly uses: boolean;
  readonly status: number;
  readonly firstTokenMs: number | undefined;
  readonly durationMs: number;
}

export interface Settle {
  /** Resolves once it is stored; callers on the request path need not wait. */
  (settlement: Settlement): Promise<void>;
  /** Writes everything still pending in this process. False if there was nothing. */
  flush(): Promise<boolean>;
  drain(): Promise<void>;
}

const SETTLED = '$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17';
const SETTLE_ONE = `select :schema.chat_settle_one(${SETTLED})`;
const SETTLE_ALL = `select :schema.chat_settle(${SETTLED})`;
const TRIES = 5;

export function createSettle(db: Database, log: Log): Settle {
  return batch<Settlement, void>({
    lanes: 1,
    most: 500,
    // A settlement locks the budget row until it is on disk, and the next request needs that row, so larger and fewer
    // batches are better. Callers that need the current balance flush first.
    collectMs: 25,
    run: async (settlements) => {
      await settleAll(db, settlements, log);
      return settlements.map(() => undefined);
    },
  });
}

async function settleAll(db: Database, settlements: readonly Settlement[], log: Log): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      const [first] = settlements;
      if (first && settlements.length === 1) await db.query(SETTLE_ONE, settlementColumns(first));
      else await db.query(SETTLE_ALL, transpose(settlements.map(settlementColumns)));
      return;
    } catch (error) {
      if (tries >= TRIES) throw error;
      log.warn({ err: error, settlements: settlements.length }, 'settlement failed, will retry');
      await sleep(200 * 2 ** tries);
    }
  }
}

function settlementColumns(settled: Settlement): (string | number | boolean | null)[] {
  const { workspaceId, tokenId, surface, requestId } = settled.spend;
  return [
    settled.organizationId,
    settled.holdId ?? null,
    settled.costMicros,
    settled.model,
    settled.provider,
    settled.credential,
    settled.inputTokens,
    settled.outputTokens,
    settled.userId,
    workspaceId,
    tokenId,
    surface,
    requestId,
    settled.uses,
    settled.status,
    settled.firstTokenMs ?? null,
    settled.durationMs,
  ];
}

/** Releases a hold in full because nothing was used. Harmless if it is already closed. */
export async function releaseHold(db: Database, holdId: string): Promise<void> {
  await db.query('select :schema.chat_release($1, 0)', [holdId]);
}

const MOST_REAPED = 500;

/**
 * Settles the holds of dead processes one at a time, so that no two budgets are locked together. Any process may run
 * it.
 */
export async function reapHolds(db: Database): Promise<number> {
  let reaped = 0;
  while (reaped < MOST_REAPED) {
    const { rows } = await db.query<{ reaped: number }>('select :schema.chat_reap(1) as reaped');
    if ((rows[0]?.reaped ?? 0) === 0) break;
    reaped += 1;
  }
  return reaped;
}

export interface Noted {
  readonly holdId: string;
  readonly costMicros: number;
  readonly outputTokens: number;
}

/** Records the cost so far of answers in progress; they are settled at that if this process is killed. */
export async function noteHolds(db: Database, noted: readonly Noted[]): Promise<void> {
  await db.query('select :schema.chat_note($1, $2, $3)', [
    noted.map(({ holdId }) => holdId),
    noted.map(({ costMicros }) => costMicros),
    noted.map(({ outputTokens }) => outputTokens),
  ]);
}

function transpose<T>(rows: readonly T[][]): T[][] {
  return (rows[0] ?? []).map((_, column) => rows.map((row) => row[column] as T));
}
