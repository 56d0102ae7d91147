// PostgreSQL through two functions: one statement, or several in one transaction. SQL names every table as `:schema.table`,
// so a statement does not depend on the connection's search path; the path is set all the same (see connection.ts),
// because functions and operators are resolved through it, too.
import { createHash } from 'node:crypto';
import pg from 'pg';
import { splitHosts } from '../base/postgres-hosts.ts';
import type { Log } from '../telemetry/log.ts';
import { arrayLiteral } from './array-literal.ts';
import { createClientPool } from './client-pool.ts';
import {
  beginWithPath,
  clientConfig,
  holdsStartupPath,
  type PathMode,
  probePathMode,
  quoteIdentifier,
} from './connection.ts';
import { createServerClock, type ServerClock } from './server-clock.ts';
import { createStatementBatches, type StatementBatches } from './statement-batches.ts';
import { createFaultLogger } from './log-fault.ts';
import { createClientClass, tryEachHost } from './primary-client.ts';

export type Row = Record<string, unknown>;
export interface Result<R> {
  readonly rows: R[];
  readonly rowCount: number;
}

export interface Queryable {
  query<R extends Row = Row>(sql: string, values?: readonly unknown[]): Promise<Result<R>>;
  /** Absent where nothing compares the clocks. */
  readonly clock?: ServerClock;
  /** Absent within a transaction, whose statements are its own. */
  readonly batches?: StatementBatches<Queryable>;
}

export interface Transaction extends Queryable {
  readonly isTransaction: true;
}

export interface Database extends Queryable {
  readonly schema: string;
  readonly mode: PathMode;
  /** A connection outside the pool, for the listener. */
  newClient(): pg.Client;
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly schema: string;
  readonly poolMax: number;
  readonly applicationName: string;
  readonly log: Log;
}

// bigint columns hold indexes and micro-dollars, both far below 2^53.
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const Client = createClientClass(options.url);
  const hosts = splitHosts(options.url).length;
  const mode = await tryEachHost(hosts, () => probePathMode(options, Client));
  const config = (): pg.ClientConfig => ({ ...clientConfig(options, mode), types });
  const pool = createClientPool(
    {
      ...config(),
      Client,
      max: options.poolMax,
      idleTimeoutMillis: 60_000,
      maxLifetimeSeconds: 3_600,
      // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, its types do not say so
      ...(mode === 'startup' ? { onConnect: (client) => assertPath(client, options.schema) } : {}),
    },
    options.log,
  );

  const logFault = createFaultLogger(options.log);
  const take = (): Promise<pg.PoolClient> =>
    (hosts === 1 ? pool.take() : tryEachHost(hosts, () => pool.take())).catch((error: unknown) => {
      logFault(error);
      throw error;
    });
  const statements = new StatementCache(options.schema, mode === 'startup');
  const clock = createServerClock();
  const begin = mode === 'startup' ? 'begin' : beginWithPath(options.schema);

  async function transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await take();
    let broken: Error | undefined;
    try {
      await client.query(begin);
      const result = await work({ isTransaction: true, clock, query: (sql, values) => run(client, sql, values) });
      await client.query('commit');
      return result;
    } catch (error) {
      logFault(error);
      await client.query('rollback').catch((failure: Error) => (broken = failure));
      throw error;
    } finally {
      pool.giveBack(client, broken);
    }
  }

  async function run<R extends Row>(
    on: pg.ClientBase,
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<Result<R>> {
    const result = await on.query<R>({ ...statements.get(sql), values: values.map(toParameter) });
    return { rows: result.rows, rowCount: result.rowCount ?? 0 };
  }

  async function runAlone<R extends Row>(sql: string, values?: readonly unknown[]): Promise<Result<R>> {
    const client = await take();
    let failure: unknown;
    try {
      return await run<R>(client, sql, values);
    } catch (error) {
      failure = error;
      logFault(error);
      throw error;
    } finally {
      pool.giveBack(client, failure);
    }
  }

  const query: Queryable['query'] = (sql, values) =>
    mode === 'startup' ? runAlone(sql, values) : transaction((tx) => tx.query(sql, values));

  return {
    schema: options.schema,
    mode,
    clock,
    newClient: () => new Client(config()),
    query,
    batches: createStatementBatches<Queryable>({ query }),
    transaction,
    close: () => pool.close(),
  };
}

function toParameter(value: unknown): unknown {
  return Array.isArray(value) ? (arrayLiteral(value) ?? value) : value;
}

async function assertPath(client: pg.ClientBase, schema: string): Promise<void> {
  if (!(await holdsStartupPath(client, schema))) {
    throw new Error('database connection has a different search path than requested');
  }
}

/** Several times what the code has. */
const MOST_STATEMENTS = 2_000;

/**
 * Qualifies `:schema.` once per distinct statement and names it, so that the server parses and plans it once per
 * connection; with a pooler statements stay unnamed. Texts are constants in the code, but for those that the identity
 * library writes: once the cache is full, what is new stays unnamed.
 */
class StatementCache {
  readonly #schema: string;
  readonly #named: boolean;
  readonly #statements = new Map<string, { text: string; name?: string }>();

  constructor(schema: string, named: boolean) {
    this.#schema = quoteIdentifier(schema);
    this.#named = named;
  }

  get(sql: string): { text: string; name?: string } {
    let statement = this.#statements.get(sql);
    if (!statement) {
      const text = sql.replaceAll(':schema', this.#schema);
      if (this.#statements.size >= MOST_STATEMENTS) return { text };
      const name = createHash('sha256').update(text).digest('base64url').slice(0, 20);
      statement = this.#named ? { text, name } : { text };
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
