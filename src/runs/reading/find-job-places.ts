import type { Queryable } from '../../store/database.ts';

export interface JobPlace {
  readonly id: string;
  readonly organizationId: string;
  readonly workspaceId: string;
}

const FIND =
  'select id, organization_id, workspace_id from :schema.job where id = any($1) and organization_id is not null';

/** Where runs belong; the service's own have no place. */
export async function findJobPlaces(on: Queryable, ids: readonly string[]): Promise<JobPlace[]> {
  const { rows } = await on.query<{ id: string; organization_id: string; workspace_id: string }>(FIND, [ids]);
  return rows.map((row) => ({ id: row.id, organizationId: row.organization_id, workspaceId: row.workspace_id }));
}
