// A migration under load locks all the tables that it changes before it changes any. If it held one lock while waiting for
// the next, it would sooner or later deadlock with other transactions. So it takes all or none, and releases and retries
// well before the server checks for deadlocks (deadlock_timeout, one second).
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from './database.ts';
import { splitStatements } from './split-statements.ts';

const HOLD_MS = 500;
const PAUSE_MS = 200;
const PATIENCE_MS = 60_000;
const LOCK_NOT_AVAILABLE = '55P03';

/** The tables that statements name outside function bodies; some may not exist yet. */
export function tablesNamed(sql: string): string[] {
  const text = splitStatements(sql)
    .map((statement) => statement.replaceAll(/\$\$[^]*?\$\$/g, ''))
    .join('\n');
  return [...new Set([...text.matchAll(/:schema\.(\w+)/g)].map(([, name = '']) => name))].sort();
}

/** The end of the transaction releases the locks. */
export async function lockTables(tx: Queryable, schema: string, names: readonly string[]): Promise<void> {
  const { rows } = await tx.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = to_regnamespace(quote_ident($1)) and relkind in ('r', 'p') and relname = any($2::text[]) order by 1",
    [schema, names],
  );
  if (rows.length === 0) return;
  const tables = rows.map(({ name }) => `:schema.${name}`).join(', ');
  const deadline = performance.now() + PATIENCE_MS;
  await tx.query(`set local lock_timeout = ${Math.max(10, Math.floor(HOLD_MS / rows.length))}`);
  for (;;) {
    await tx.query('savepoint lock_tables');
    try {
      await tx.query(`lock table ${tables} in access exclusive mode`);
      break;
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE || performance.now() > deadline) throw error;
      await tx.query('rollback to savepoint lock_tables');
      await sleep(PAUSE_MS * (0.5 + Math.random()));
    }
  }
  await tx.query('set local lock_timeout = 0');
}
