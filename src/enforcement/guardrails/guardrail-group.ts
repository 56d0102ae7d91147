// A stored group of guardrail rules. It is versioned, and a version never changes once written.
import { AppError } from '../../base/errors.ts';
import type { GuardrailGroup, GuardrailRule } from '../../contract/guardrails.ts';
import type { Queryable } from '../../store/database.ts';

export interface GroupRow extends Record<string, unknown> {
  id: string;
  latest_version: number;
  version: number;
  name: string;
  rules: GuardrailRule[];
  created_at: Date;
}

export const GROUP_COLUMNS = 'g.id, g.latest_version, v.version, v.name, v.rules, v.created_at';
export const GROUP_TABLES = ':schema.guardrail_group g join :schema.guardrail_version v on v.group_id = g.id';

/** At its latest version or a given one. */
export async function getGroup(
  db: Queryable,
  organizationId: string,
  groupId: string,
  version?: number,
): Promise<GuardrailGroup> {
  const { rows } = await db.query<GroupRow>(
    `select ${GROUP_COLUMNS} from ${GROUP_TABLES} and v.version = coalesce($3, g.latest_version) where g.organization_id = $1 and g.id = $2`,
    [organizationId, groupId, version ?? null],
  );
  const [row] = rows;
  if (!row) throw new AppError('not_found');
  return toGroup(row);
}

export function toGroup(row: GroupRow): GuardrailGroup {
  return {
    id: row.id,
    name: row.name,
    version: row.version,
    latestVersion: row.latest_version,
    rules: row.rules,
    createdAt: row.created_at.toISOString(),
  };
}
