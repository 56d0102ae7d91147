// Lets the identity library use the service's pool. Every statement it builds goes through Database, so the search
// path, prepared statements and the size of the pool are the same as everywhere else.
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { Database, Queryable, Transaction } from '../store/database.ts';

export function databaseDialect(db: Database): Dialect {
  return {
    createDriver: () => driverOver(db),
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
  };
}

function driverOver(db: Database): Driver {
  return {
    init: async () => {},
    destroy: async () => {},
    acquireConnection: async () => new Connection(db),
    releaseConnection: async () => {},
    beginTransaction: (connection) => own(connection).begin(),
    commitTransaction: (connection) => own(connection).end('commit'),
    rollbackTransaction: (connection) => own(connection).end('rollback'),
  };
}

function own(connection: DatabaseConnection): Connection {
  if (connection instanceof Connection) return connection;
  throw new Error('a connection of another driver');
}

interface Open {
  readonly tx: Transaction;
  readonly finish: (how: 'commit' | 'rollback') => void;
  readonly finished: Promise<void>;
}

const ROLLED_BACK = Symbol('rolled back');

/** Takes a connection from the pool only for the duration of a statement or a transaction. */
class Connection implements DatabaseConnection {
  readonly #db: Database;
  #open: Open | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const on: Queryable = this.#open?.tx ?? this.#db;
    const { rows, rowCount } = await on.query(query.sql, query.parameters);
    return { rows: rows as R[], numAffectedRows: BigInt(rowCount) };
  }

  // eslint-disable-next-line require-yield -- the interface asks for it; the identity library never streams.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('the identity tables are not streamed');
  }

  /** Database passes its transaction to a callback; this keeps that callback pending until the library ends it. */
  begin(): Promise<void> {
    return new Promise((begun, failed) => {
      const { promise: ending, resolve: finish } = Promise.withResolvers<'commit' | 'rollback'>();
      const finished = this.#db.transaction(async (tx) => {
        this.#open = { tx, finish, finished };
        begun();
        if ((await ending) === 'rollback') throw ROLLED_BACK;
      });
      finished.catch(failed);
    });
  }

  async end(how: 'commit' | 'rollback'): Promise<void> {
    const open = this.#open;
    if (!open) return;
    this.#open = undefined;
    open.finish(how);
    await open.finished.catch((reason: unknown) => {
      if (reason !== ROLLED_BACK) throw reason;
    });
  }
}
