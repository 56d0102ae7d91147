// Every check that the api role can make, with its result. It is a report, so it answers 200 even if `ok` is false.
import { readFunctionState } from '../../store/apply-functions.ts';
import type { Database } from '../../store/database.ts';
import { APPLIED, type AppliedRow, findForeign, type Migrations } from '../../store/migrate.ts';
import { reasonOf } from '../../timing/database-fault.ts';
import type { RuntimeFigures } from './figures.ts';

export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

export async function checkEverything(
  db: Database,
  migrations: Migrations,
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
    ...(stored
      ? [
          {
            name: 'receipt chains',
            ok: stored.chains.broken === 0,
            detail: `${stored.chains.broken} streams do not verify; all were last verified ${stored.chains.verified?.at.toISOString() ?? 'never'}`,
          },
        ]
      : []),
    ...(stored?.roles ?? []).map(({ role, running, lost }) => ({
      name: `role ${role}`,
      ok: running > 0,
      detail: `${running} running, ${lost} lost`,
    })),
  ];
  return { ok: checks.every((check) => check.ok), checks };
}

async function checkSchema(db: Database, { numbered, functions }: Migrations): Promise<Check> {
  try {
    const { rows } = await db.query<AppliedRow>(APPLIED);
    const { waiting, replaced } = await readFunctionState(db, db.schema, functions);
    const isAhead = rows.length > numbered.length;
    const ok =
      numbered.every(({ checksum }, position) => rows[position]?.checksum === checksum) &&
      findForeign(rows, numbered.length) === undefined &&
      (isAhead || waiting.length === 0);
    const others = isAhead || replaced.length > 0 ? '; the functions are from another build' : '';
    return {
      name: 'schema',
      ok,
      detail: `${rows.length} migrations applied, this build has ${numbered.length}${others}`,
    };
  } catch (error) {
    return { name: 'schema', ok: false, detail: reasonOf(error) };
  }
}
