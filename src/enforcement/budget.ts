// The two ends of a chat request's budget. Admission checks the per-user limit, reserves the budget and takes the amount
// from every cap, for a whole batch of requests in one statement; the same statement reports whether the cached settings
// of the organization still hold, which saves a second round trip. Settlement records actual usage, by person, workspace
// and token, and logs the request, batched and off the request path. In between the request has a hold, on an own key one
// of nothing. It is closed exactly once; if its process is lost, the reaper settles it at the least the request can have
// cost.
import { setTimeout as sleep } from 'node:timers/promises';
import { type CacheKey, cacheKey } from '../base/cache-key.ts';
import { newId } from '../base/ids.ts';
import type { Log } from '../telemetry/log.ts';
import type { CapSubject, SpendSurface } from '../contract/spend.ts';
import type { Database, Queryable, Transaction } from '../store/database.ts';
import { batch, type Batched } from '../timing/batch.ts';
import { createBoundedMap } from '../timing/bounded-cache.ts';
import { findStorageFault, mayHaveTakenEffect } from '../timing/database-fault.ts';
import { retryFault } from '../timing/retry-fault.ts';
import { type AdmittingProcess, createRelease, HOLD_LIFETIME_SECONDS } from './holds.ts';

/** What a request is counted for, besides its user. */
export interface SpendTag {
  readonly workspaceId: string;
  /** The first id of the named token's line; empty without one. */
  readonly tokenId: string;
  readonly surface: SpendSurface;
  /** The project whose chat or run asked. */
  readonly projectId?: string | undefined;
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
interface HoldNote {
  readonly credential: Credential;
  /** Null if the price is unknown. */
  readonly leastMicros: number | null;
  readonly model: string;
  /** The model that is called, if the request named an automatic one or a route. */
  readonly served?: string | undefined;
  readonly provider: string;
  readonly inputTokens: number;
}

export type Admission =
  | { readonly outcome: 'admitted'; readonly holdId: string | undefined; readonly roomMicros?: number }
  | { readonly outcome: 'rate_limited'; readonly retryAfterMs: number }
  | { readonly outcome: 'cap_reached'; readonly cap: ReachedCap }
  | { readonly outcome: 'quota_exceeded' | 'ceiling_reached' | 'stale' | 'revoked' };

interface ReachedCap {
  readonly subject: CapSubject;
  readonly limitMicros: number;
  readonly resetsAt: string;
}

export interface Admit extends Batched<AdmissionRequest, Admission> {
  /** The seconds for which this process knows that the per-user limit refuses; nothing is asked. */
  refusedFor(userId: string, tokenId: string | undefined): number | undefined;
  /** Returns the hold of an admitted request that calls no model. */
  release(holdId: string): void;
  /** Admits a single request in a transaction with what decides it. */
  within<T>(work: (tx: Transaction, admitOne: AdmitOne) => Promise<T>): Promise<T>;
}

type AdmitOne = (request: AdmissionRequest) => Promise<Admission>;
type HoldIds = readonly (string | undefined)[];

export const RATE_WINDOW_SECONDS = 60;
const MOST_REFUSED = 10_000;
const ADMIT = `select outcome, retry_after_ms, cap from :schema.chat_admit($1, '${RATE_WINDOW_SECONDS} seconds', '${HOLD_LIFETIME_SECONDS} seconds')`;

export function createAdmit(db: Database, process: AdmittingProcess): Admit {
  const { processId } = process;
  const release = createRelease(db, process);

  /** Without an answer the holds may be open or not: they are released by their ids. */
  async function orRelease<T>(holds: HoldIds, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (mayHaveTakenEffect(error)) for (const holdId of holds) if (holdId !== undefined) release(holdId);
      throw error;
    }
  }

  /** Until when the limit refuses a person: a flood of refused requests is not read, parsed and asked about again. */
  const refusedUntil = createBoundedMap<CacheKey, number>(MOST_REFUSED);
  function noted(request: AdmissionRequest | undefined, admission: Admission): Admission {
    if (request && admission.outcome === 'rate_limited')
      refusedUntil.set(cacheKey(request.userId, request.tokenId ?? null), performance.now() + admission.retryAfterMs);
    return admission;
  }

  async function admitOn(on: Queryable, requests: readonly AdmissionRequest[], holds: HoldIds): Promise<Admission[]> {
    const asked = requests.map((request, at) => rowLiteral(requestRow(request, holds[at], processId)));
    const { rows } = await on.query<AdmissionRow>(ADMIT, [asked]);
    return rows.map((row, at) => noted(requests[at], toAdmission(row, holds[at])));
  }

  const batched = batch<AdmissionRequest, Admission>({
    lanes: 1,
    most: 200,
    retriesAlone: (error, size) => size > 1 && findStorageFault(error) === undefined,
    run: (requests) => {
      const holds = requests.map(newHoldId);
      return orRelease(holds, admitOn(db, requests, holds));
    },
  });

  const { drain } = batched;
  return Object.assign(batched, {
    refusedFor(userId: string, tokenId: string | undefined) {
      const until = refusedUntil.size === 0 ? undefined : refusedUntil.get(cacheKey(userId, tokenId ?? null));
      const leftMs = until === undefined ? 0 : until - performance.now();
      return leftMs > 0 ? Math.ceil(leftMs / 1_000) : undefined;
    },
    release: (holdId: string) => release(holdId),
    async drain() {
      await drain();
      await release.drain();
    },
    within<T>(work: (tx: Transaction, one: AdmitOne) => Promise<T>) {
      const holds: (string | undefined)[] = [];
      const transaction = db.transaction((tx) =>
        work(tx, async (request) => {
          const holdId = newHoldId(request);
          holds.push(holdId);
          const [admission] = await admitOn(tx, [request], [holdId]);
          if (!admission) throw new Error('the database returned no admission row');
          return admission;
        }),
      );
      return orRelease(holds, transaction);
    },
  });
}

interface AdmissionRow extends Record<string, unknown> {
  outcome: Admission['outcome'];
  retry_after_ms: number;
  cap: { kind: CapSubject['kind']; id: string; limitMicros: number; resetsAt: string } | { roomMicros: number } | null;
}

function newHoldId({ micros, note }: AdmissionRequest): string | undefined {
  return micros > 0 || note ? newId('hold') : undefined;
}

type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** A value of a composite type, whose fields are given in their order. The database reads this several times faster than JSON. */
function rowLiteral(fields: Fields): string {
  let literal = '';
  for (const value of Object.values(fields)) {
    literal += literal === '' ? '(' : ',';
    if (typeof value === 'string') literal += `"${value.replaceAll('\\', '\\\\').replaceAll('"', '""')}"`;
    else if (value !== undefined && value !== null) literal += value;
  }
  return `${literal})`;
}

/**
 * One column says where a request came from: the surface and, after an at sign, the project. Every key that usage is
 * summed under has it, so what a project used is counted wherever a request is.
 */
function writeSurface({ surface, projectId }: SpendTag): string {
  return projectId === undefined ? surface : `${surface}@${projectId}`;
}

/** As `chat_request` in the database. */
export function requestRow(request: AdmissionRequest, holdId: string | undefined, processId: string): Fields {
  const { note, spend } = request;
  return {
    hold_id: holdId,
    process_id: processId,
    organization_id: request.organizationId,
    user_id: request.userId,
    workspace_id: spend?.workspaceId ?? '',
    token_id: spend?.tokenId ?? '',
    surface: spend ? writeSurface(spend) : '',
    request_id: spend?.requestId ?? '',
    model: note?.model ?? '',
    served: note?.served ?? '',
    provider: note?.provider ?? '',
    credential: note?.credential ?? 'platform',
    input_tokens: note?.inputTokens ?? 0,
    least_micros: note ? note.leastMicros : 0,
    bearer_id: request.tokenId,
    version: request.version,
    rate_limit: request.limit,
    micros: request.micros,
    seat_budget: request.seatBudgetMicros,
    credit: request.creditMicros,
    ceiling: request.ceilingMicros,
    checks_caps: request.checksCaps ?? false,
  };
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
  /** Undefined if the request was refused. */
  readonly holdId: string | undefined;
  /** On an own key or Models account the list price, charged to no budget; null if it is unknown. */
  readonly costMicros: number | null;
  readonly model: string;
  /** The model that was called, if the request named an automatic one or a route. */
  readonly served?: string | undefined;
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
  /** Writes everything still pending in this process. False if there was nothing, or if it takes too long. */
  flush(): Promise<boolean>;
  drain(): Promise<void>;
}

const SETTLE = 'select :schema.chat_settle($1) as closed';
/** A request that ends while the database is away is settled when it is back. */
const PATIENCE_MS = 10 * 60_000;
/** Who wants the current balance waits less. */
const FLUSH_MS = 5_000;

export function createSettle(db: Database, log: Log, stopping?: AbortSignal): Settle {
  async function settleAll(settlements: readonly Settlement[], tries: number): Promise<void> {
    const { rows } = await db.query<{ closed: string[] }>(SETTLE, [
      settlements.map((settled) => rowLiteral(settlementRow(settled))),
    ]);
    const closed = rows[0]?.closed ?? [];
    // An earlier try may have closed them.
    if (closed.length > 0 && tries === 1)
      log.warn({ holds: closed }, 'requests were settled by another process, which took this one for lost');
  }

  const settle = batch<Settlement, void>({
    lanes: 1,
    most: 500,
    // A settlement locks the budget row until it is on disk, and the next request needs that row, so larger and fewer
    // batches are better. Callers that need the current balance flush first.
    collectMs: 25,
    retriesAlone: (error, size) => size > 1 && findStorageFault(error) === undefined,
    run: async (settlements) => {
      await retryFault((tries) => settleAll(settlements, tries), { patienceMs: PATIENCE_MS, signal: stopping });
      return settlements.map(() => undefined);
    },
  });
  const { flush } = settle;
  return Object.assign(settle, { flush: () => Promise.race([flush(), sleep(FLUSH_MS, false, { ref: false })]) });
}

/** As `chat_settlement` in the database, which finds the last fields in the hold. */
export function settlementRow(settled: Settlement): Fields {
  return {
    hold_id: settled.holdId,
    organization_id: settled.organizationId,
    user_id: settled.userId,
    workspace_id: settled.spend.workspaceId,
    token_id: settled.spend.tokenId,
    surface: writeSurface(settled.spend),
    request_id: settled.spend.requestId,
    model: settled.model,
    served: settled.served ?? '',
    provider: settled.provider,
    credential: settled.credential,
    input_tokens: settled.inputTokens,
    output_tokens: settled.outputTokens,
    cost_micros: settled.costMicros,
    uses: settled.uses,
    status: settled.status,
    first_token_ms: settled.firstTokenMs,
    duration_ms: settled.durationMs,
    platform: undefined,
    month: undefined,
    seat_held: undefined,
    credit_held: undefined,
    month_held: undefined,
  };
}
