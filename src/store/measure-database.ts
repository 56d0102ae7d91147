// Wraps the database with figures: connections in use, callers that wait for one, and the duration of each statement. A
// statement or a transaction holds exactly one connection of the pool, so whatever is in flight beyond the pool's size
// is waiting.
import { span } from '../telemetry/telemetry.ts';
import type { Database, Queryable, Result, Row } from './database.ts';
import { createStatementBatches } from './statement-batches.ts';

export interface DatabaseFigures {
  readonly poolMax: number;
  readonly busy: number;
  readonly waiting: number;
  /** How many callers have found every connection in use so far. */
  readonly waits: number;
  readonly statements: number;
  readonly failures: number;
}

interface StatementFigures {
  readonly sql: string;
  readonly count: number;
  readonly failures: number;
  readonly meanMs: number;
  readonly maxMs: number;
}

export interface MeasuredDatabase extends Database {
  figures(): DatabaseFigures;
  /** The statements of this process by their slowest run, slowest first. */
  slowest(limit: number): StatementFigures[];
  /** Called for every statement from now on. */
  onStatement(observe: ObserveStatement): void;
}

type ObserveStatement = (seconds: number, ok: boolean) => void;

// Statement texts are constants in the code; the bound is for one that is not.
const MAX_STATEMENTS = 1_000;

interface Tally {
  count: number;
  failures: number;
  totalMs: number;
  maxMs: number;
}

export function measureDatabase(db: Database, poolMax: number): MeasuredDatabase {
  let observe: ObserveStatement | undefined;
  const tallies = new Map<string, Tally>();
  let inFlight = 0;
  let waits = 0;
  let statements = 0;
  let failures = 0;

  function record(sql: string, elapsedMs: number, ok: boolean): void {
    statements++;
    if (!ok) failures++;
    observe?.(elapsedMs / 1000, ok);
    let tally = tallies.get(sql);
    if (!tally) {
      if (tallies.size >= MAX_STATEMENTS) return;
      tally = { count: 0, failures: 0, totalMs: 0, maxMs: 0 };
      tallies.set(sql, tally);
    }
    tally.count++;
    if (!ok) tally.failures++;
    tally.totalMs += elapsedMs;
    tally.maxMs = Math.max(tally.maxMs, elapsedMs);
  }

  const timed = <R extends Row>(on: Queryable, sql: string, values?: readonly unknown[]): Promise<Result<R>> =>
    span('database statement', { 'db.system.name': 'postgresql', 'db.query.text': sql }, async () => {
      const startedAt = performance.now();
      let ok = false;
      try {
        const result = await on.query<R>(sql, values);
        ok = true;
        return result;
      } finally {
        record(sql, performance.now() - startedAt, ok);
      }
    });

  async function holding<T>(work: () => Promise<T>): Promise<T> {
    if (inFlight++ >= poolMax) waits++;
    try {
      return await work();
    } finally {
      inFlight--;
    }
  }

  const clock = db.clock === undefined ? {} : { clock: db.clock };
  const query: Queryable['query'] = (sql, values) => holding(() => timed(db, sql, values));

  return {
    schema: db.schema,
    mode: db.mode,
    ...clock,
    newClient: () => db.newClient(),
    query,
    batches: createStatementBatches<Queryable>({ query }),
    transaction: (work) =>
      holding(() =>
        db.transaction((tx) => work({ isTransaction: true, ...clock, query: (sql, values) => timed(tx, sql, values) })),
      ),
    close: () => db.close(),
    onStatement: (observer) => void (observe = observer),
    figures: () => ({
      poolMax,
      busy: Math.min(inFlight, poolMax),
      waiting: Math.max(inFlight - poolMax, 0),
      waits,
      statements,
      failures,
    }),
    slowest: (limit) =>
      [...tallies]
        .sort(([, a], [, b]) => b.maxMs - a.maxMs)
        .slice(0, limit)
        .map(([sql, { count, failures, totalMs, maxMs }]) => ({
          sql: sql.replace(/\s+/g, ' ').trim().slice(0, 500),
          count,
          failures,
          meanMs: round(totalMs / count),
          maxMs: round(maxMs),
        })),
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
