// Organization and workspace are predicates of the same statement, so an id from another workspace is not found, exactly
// like one that never existed.
import type { Queryable } from '../store/database.ts';
import { type ConnectionRow, SELECT_CONNECTION, toConnection } from './connection-row.ts';
import type { Connection } from './connection-types.ts';
import type { WorkspaceRef } from '../tenancy/workspaces/workspace-ref.ts';
import { parseSelector, RESERVED_NAME } from './normalize-name.ts';

const IN_SCOPE = `${SELECT_CONNECTION} where c.organization_id = $1 and c.workspace_id = $2`;
const BY_ID = `${IN_SCOPE} and c.id = $3`;
const BY_ADDRESS = `${IN_SCOPE} and c.provider = $3 and c.name = $4`;
const VISIBLE = `${IN_SCOPE} and c.name <> '${RESERVED_NAME}' order by c.provider, c.name`;

/** By id or `provider[:name]`. Connections of the agent registry are found only with `registry`. */
export async function findConnection(
  db: Queryable,
  { organizationId, workspaceId }: WorkspaceRef,
  selector: string,
  options: { registry?: true; now?: Date } = {},
): Promise<Connection | undefined> {
  if (selector.includes('\0')) return undefined;
  const { rows } = isId(selector)
    ? await db.query<ConnectionRow>(BY_ID, [organizationId, workspaceId, selector])
    : await findByAddress(db, organizationId, workspaceId, selector);
  const [row] = rows;
  if (!row || (row.name === RESERVED_NAME && !options.registry)) return undefined;
  return toConnection(row, options.now ?? new Date());
}

/** Every connection that members of the workspace see, ordered by address. */
export async function listConnections(
  db: Queryable,
  { organizationId, workspaceId }: WorkspaceRef,
  now = new Date(),
): Promise<Connection[]> {
  const { rows } = await db.query<ConnectionRow>(VISIBLE, [organizationId, workspaceId]);
  return rows.map((row) => toConnection(row, now));
}

/** The workspace of a connection given by id alone, within the caller's organization. */
export async function findWorkspaceOf(db: Queryable, organizationId: string, id: string): Promise<string | undefined> {
  if (id.includes('\0')) return undefined;
  const { rows } = await db.query<{ workspace_id: string }>(
    'select workspace_id from :schema.org_connection_secret where id = $1 and organization_id = $2',
    [id, organizationId],
  );
  return rows[0]?.workspace_id;
}

/** Connection ids contain an underscore before any colon; connector ids contain none. */
const isId = (selector: string): boolean => /^con_[^:]*$/.test(selector);

function findByAddress(
  db: Queryable,
  organizationId: string,
  workspaceId: string,
  selector: string,
): Promise<{ rows: ConnectionRow[] }> {
  const { provider, name } = parseSelector(selector);
  return db.query<ConnectionRow>(BY_ADDRESS, [organizationId, workspaceId, provider, name]);
}
