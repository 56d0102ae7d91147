import type { Queryable } from '../../store/database.ts';
import type { JobReader } from './get-job.ts';

const LIST = `
select r.n, w.workspace_id as id from unnest($1::text[], $2::text[], $3::text[]) with ordinality as r (user_id, organization_id, workspace_id, n)
join :schema.member_workspace w on w.user_id = r.user_id and w.organization_id = r.organization_id and (r.workspace_id is null or w.workspace_id = r.workspace_id)
where w.is_member`;

/** For each reader the workspaces whose runs they may see, in one statement. */
export async function listReadersWorkspaces(
  on: Queryable,
  readers: readonly JobReader[],
): Promise<ReadonlySet<string>[]> {
  const column = (read: (reader: JobReader) => string | undefined): (string | null)[] =>
    readers.map((reader) => read(reader) ?? null);
  const { rows } = await on.query<{ n: string; id: string }>(LIST, [
    column(({ userId }) => userId),
    column(({ organizationId }) => organizationId),
    column(({ workspaceId }) => workspaceId),
  ]);
  const lists = readers.map(() => new Set<string>());
  for (const { n, id } of rows) lists[Number(n) - 1]?.add(id);
  return lists;
}
