// Every check the api role can make, with what it saw. A report, so it answers 200 and says `ok: false` inside.
import { APPLIED, type AppliedRow, findForeign, type Migration } from '../../store/migrate.ts';
import type { Queryable } from '../../store/database.ts';
import { reasonOf } from '../../timing/database-fault.ts';
import type { RuntimeFigures } from './figures.ts';

export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

export async function checkEverything(
  db: Queryable,
  migrations: readonly Migration[],
  figures: RuntimeFigures,
): Promise<{ ok: boolean; checks: Check[] }> {
  const { database, stored } = figures;
  const checks: Check[] = [
    {
      name: 'database',
      ok: database.ok,
      detail: database.ok ? `answers in ${database.latencyMs} ms` : database.reason,
    },
    {
      name: 'pool',
      ok: database.pool.waiting === 0,
      detail: `${database.pool.busy} of ${database.pool.poolMax} connections in use, ${database.pool.waiting} callers waiting`,
    },
    await checkSchema(db, migrations),
    ...(stored?.roles ?? []).map(({ role, running, lost }) => ({
      name: `role ${role}`,
      ok: running > 0,
      detail: `${running} running, ${lost} lost`,
    })),
  ];
  return { ok: checks.every((check) => check.ok), checks };
}

async function checkSchema(db: Queryable, migrations: readonly Migration[]): Promise<Check> {
  try {
    const { rows } = await db.query<AppliedRow>(APPLIED);
    const ok =
      migrations.every(({ checksum }, position) => rows[position]?.checksum === checksum) &&
      findForeign(rows, migrations.length) === undefined;
    return { name: 'schema', ok, detail: `${rows.length} migrations applied, this build has ${migrations.length}` };
  } catch (error) {
    return { name: 'schema', ok: false, detail: reasonOf(error) };
  }
}
