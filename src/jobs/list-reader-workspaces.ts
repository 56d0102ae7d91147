import type { Queryable } from '../store/database.ts';
import type { JobReader } from './get-job.ts';

const LIST = `
select w.id from :schema.workspace w
join :schema.organization_member m on m.organization_id = w.organization_id and m.user_id = $1
left join :schema.workspace_member wm on wm.workspace_id = w.id and wm.user_id = $1
where w.organization_id = $2 and ($3::text is null or w.id = $3) and (w.kind <> 'named' or wm.user_id is not null)`;

/** The workspaces whose runs the reader may see. */
export async function listReaderWorkspaces(on: Queryable, reader: JobReader): Promise<string[]> {
  const { rows } = await on.query<{ id: string }>(LIST, [reader.userId, reader.organizationId ?? null, reader.workspaceId ?? null]);
  return rows.map(({ id }) => id);
}
