import { AppError } from '../../base/errors.ts';
import type { GuardrailGroup, GuardrailMatch } from '../../contract/guardrails.ts';
import type { Queryable } from '../../store/database.ts';
import type { Membership } from '../../tenancy/members/membership.ts';
import { cutPage, type PageRequest, readIdCursor, rowsToRead } from '../../tenancy/paging.ts';
import { evaluateRules } from './evaluate-rules.ts';
import { getGroup, GROUP_COLUMNS, GROUP_TABLES, type GroupRow, toGroup } from './guardrail-group.ts';

export async function listGuardrails(
  db: Queryable,
  { organizationId }: Membership,
  page: PageRequest,
): Promise<{ groups: GuardrailGroup[]; cursor?: string }> {
  const found = await db.query<GroupRow>(
    `select ${GROUP_COLUMNS} from ${GROUP_TABLES} and v.version = g.latest_version where g.organization_id = $1 and g.id > $2 order by g.id limit $3`,
    [organizationId, readIdCursor(page.cursor, 'grd'), rowsToRead(page)],
  );
  const { rows, ...more } = cutPage(found.rows, page, (row) => row.id);
  return { groups: rows.map(toGroup), ...more };
}

export async function listGuardrailVersions(
  db: Queryable,
  { organizationId }: Membership,
  groupId: string,
  page: PageRequest,
): Promise<{ versions: GuardrailGroup[]; cursor?: string }> {
  const before = page.cursor === undefined ? 2 ** 31 - 1 : Number(page.cursor);
  if (!Number.isInteger(before) || before < 1 || before >= 2 ** 31)
    throw new AppError('invalid_request', { cursor: 'is not a cursor returned by this list' });
  const found = await db.query<GroupRow>(
    `select ${GROUP_COLUMNS} from ${GROUP_TABLES} where g.organization_id = $1 and g.id = $2 and v.version < $3 order by v.version desc limit $4`,
    [organizationId, groupId, before, rowsToRead(page)],
  );
  if (found.rows.length === 0 && page.cursor === undefined) throw new AppError('not_found');
  const { rows, ...more } = cutPage(found.rows, page, (row) => String(row.version));
  return { versions: rows.map(toGroup), ...more };
}

export async function showGuardrail(
  db: Queryable,
  { organizationId }: Membership,
  groupId: string,
  version?: number,
): Promise<GuardrailGroup> {
  return getGroup(db, organizationId, groupId, version);
}

/** Evaluates a group against sample text. */
export async function testGuardrail(
  db: Queryable,
  { organizationId }: Membership,
  groupId: string,
  input: { text: string; version?: number | undefined },
): Promise<GuardrailMatch[]> {
  const { rules } = await getGroup(db, organizationId, groupId, input.version);
  return [...(await evaluateRules(rules, input.text))];
}
