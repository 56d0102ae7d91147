// Settlement: what a request used, off its path, grouped. A hold is closed once whatever happens; a settlement that
// is lost with its process is made good by the reaper, at the least that the request has cost.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../base/log.ts';
import type { Database } from '../store/database.ts';
import { batch } from '../timing/batch.ts';

export type Credential = 'models-account' | 'own-key' | 'platform';

export interface Settlement {
  readonly organizationId: string;
  /** Undefined when an override paid: nothing was reserved. */
  readonly holdId: string | undefined;
  readonly costMicros: number;
  readonly model: string;
  readonly provider: string;
  readonly credential: Credential;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface Settle {
  /** Resolves once it is in the database; callers on the path of a request need not wait for it. */
  (settlement: Settlement): Promise<void>;
  /** Writes what this process has not written yet. False when there was nothing. */
  flush(): Promise<boolean>;
  drain(): Promise<void>;
}

const SETTLE_ONE = 'select :schema.chat_settle_one($1, $2, $3, $4, $5, $6, $7, $8)';
const SETTLE_ALL = 'select :schema.chat_settle($1, $2, $3, $4, $5, $6, $7, $8)';
const TRIES = 5;

export function createSettle(db: Database, log: Log): Settle {
  return batch<Settlement, void>({
    lanes: 1,
    most: 500,
    // It holds the budget's row until it is on disk, and the next request wants that row: better seldom and together.
    // Whoever needs to know what is left asks for the rest of it first.
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
      if (first && settlements.length === 1) await db.query(SETTLE_ONE, columnsOf(first));
      else await db.query(SETTLE_ALL, transpose(settlements.map(columnsOf)));
      return;
    } catch (error) {
      if (tries >= TRIES) throw error;
      log.warn({ err: error, settlements: settlements.length }, 'settlement failed; trying again');
      await sleep(200 * 2 ** tries);
    }
  }
}

function columnsOf({
  organizationId,
  holdId,
  costMicros,
  model,
  provider,
  credential,
  inputTokens,
  outputTokens,
}: Settlement): (string | number | null)[] {
  return [organizationId, holdId ?? null, costMicros, model, provider, credential, inputTokens, outputTokens];
}

function transpose<T>(rows: readonly T[][]): T[][] {
  return (rows[0] ?? []).map((_, column) => rows.map((row) => row[column] as T));
}

/** Gives a hold back whole: nothing was used. Harmless when it was closed before. */
export async function releaseHold(db: Database, holdId: string): Promise<void> {
  await db.query('select :schema.chat_release($1, 0)', [holdId]);
}

const MOST_REAPED = 500;

/** Settles the holds of processes that died, one by one: no two budgets are locked at a time. Any process may do it. */
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

/** What answers under way have cost so far: what they are settled at if this process is killed. */
export async function noteHolds(db: Database, noted: readonly Noted[]): Promise<void> {
  await db.query('select :schema.chat_note($1, $2, $3)', [
    noted.map(({ holdId }) => holdId),
    noted.map(({ costMicros }) => costMicros),
    noted.map(({ outputTokens }) => outputTokens),
  ]);
}
