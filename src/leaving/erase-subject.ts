// Erases what the table of data says of one subject, a bounded number of rows at a time, each batch in a transaction of
// its own. It can be stopped anywhere and begun again: a step finds only what is left to do. Access has ended before, but
// a run or a request that was under way may still write for a moment; then the subject is not finished, and the next
// call goes on.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { releaseRunStorage } from '../enforcement/storage.ts';
import type { Database } from '../store/database.ts';
import { DATA, type DataRow, type Step, type Subject } from './data-table.ts';

export interface Erasing {
  readonly db: Database;
  readonly dataDirectory: string;
  readonly signal: AbortSignal;
}

const BATCH = 1_000;

/** What still keeps a subject from being finished: runs that have not ended. */
const OPEN_RUNS: Readonly<Record<Subject, string>> = {
  person: 'created_by = $1',
  organization: 'organization_id = $1',
  workspace: 'workspace_id = $1',
};

/** Returns whether nothing is left. */
export async function eraseSubject(erasing: Erasing, kind: Subject, id: string): Promise<boolean> {
  const { db } = erasing;
  const { rowCount: open } = await db.query(
    `select 1 from :schema.job where ${OPEN_RUNS[kind]} and ended_at is null limit 1`,
    [id],
  );
  if (open > 0) return false;
  for (const [table, { erases }] of Object.entries<DataRow>(DATA)) {
    const todo = erases[kind];
    if (!isSteps(todo)) continue;
    for (const step of todo) await repeat(erasing, table, step, id);
  }
  return true;
}

function isSteps(todo: DataRow['erases'][Subject]): todo is readonly Step[] {
  return Array.isArray(todo);
}

async function repeat(erasing: Erasing, table: string, step: Step, id: string): Promise<void> {
  for (;;) {
    erasing.signal.throwIfAborted();
    const changed =
      table === 'job'
        ? await eraseRuns(erasing, step, id)
        : (await erasing.db.query(statement(table, step), [id])).rowCount;
    if (changed === 0) return;
  }
}

/** The log of requests is partitioned, so a row's place does not name it: its few partitions are gone through whole. */
const WHOLE: ReadonlySet<string> = new Set(['request_log']);

function statement(table: string, step: Step): string {
  if ('runs' in step) return step.runs;
  const where = 'deletes' in step ? step.deletes : step.where;
  const rows = WHOLE.has(table)
    ? where
    : `ctid = any (array(select ctid from :schema.${table} where ${where} limit ${BATCH}))`;
  return 'deletes' in step
    ? `delete from :schema.${table} where ${rows}`
    : `update :schema.${table} set ${step.clears} where ${rows}`;
}

/** The files of a run go before its row does: a crash in between leaves a row that is found again. */
async function eraseRuns({ db, dataDirectory }: Erasing, step: Step, id: string): Promise<number> {
  if ('runs' in step) throw new Error('a run is deleted or cleared');
  const where = 'deletes' in step ? step.deletes : step.where;
  const { rows } = await db.query<{ id: string }>(`select id from :schema.job where ${where} limit ${BATCH}`, [id]);
  const ids = rows.map((row) => row.id);
  for (const run of ids) {
    await rm(join(dataDirectory, 'artifacts', run), { recursive: true, force: true });
    await releaseRunStorage(db, run);
  }
  const change = 'deletes' in step ? 'delete from :schema.job' : `update :schema.job set ${step.clears}`;
  if (ids.length > 0) await db.query(`${change} where id = any ($1)`, [ids]);
  return ids.length;
}
