// The runs that go on with a run. They are in its workspace, so anyone who may see it may see them.
import type { Queryable } from '../../store/database.ts';
import type { Run } from '../record/run.ts';

const FIND =
  'select id from :schema.job where continues = $1 and organization_id = $2 and workspace_id = $3 order by id limit 100';

/** Ids, the first one first. */
export async function findContinuing(on: Queryable, run: Run): Promise<string[]> {
  const { rows } = await on.query<{ id: string }>(FIND, [run.id, run.organizationId ?? null, run.workspaceId ?? null]);
  return rows.map(({ id }) => id);
}
