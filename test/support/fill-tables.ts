// One row in every table, all of it belonging to one person, one organization and one workspace, with a mark in every
// column that can hold text. Constraints that only say what a value may look like are dropped first: the test database
// is the test's own.
import type { Database, Transaction } from '../../src/store/database.ts';

export interface Owners {
  readonly person: string;
  readonly organization: string;
  readonly workspace: string;
  readonly mark: string;
}

interface Column extends Record<string, unknown> {
  table: string;
  column: string;
  type: string;
  /** Where a foreign key points to. */
  target: string | null;
  target_column: string | null;
}

const COLUMNS = `
select c.relname as table, a.attname as column, format_type(coalesce(nullif(t.typbasetype, 0), t.oid), null) as type,
       f.target, f.target_column
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attidentity = ''
  join pg_type t on t.oid = a.atttypid
  left join lateral (
    select r.relname as target, ra.attname as target_column from pg_constraint k
      cross join lateral unnest(k.conkey, k.confkey) as pair (own, theirs)
      join pg_class r on r.oid = k.confrelid join pg_attribute ra on ra.attrelid = r.oid and ra.attnum = pair.theirs
     where k.conrelid = c.oid and k.contype = 'f' and pair.own = a.attnum limit 1) f on true
 where n.nspname = $1 and c.relkind in ('r', 'p') and not c.relispartition order by c.relname, a.attnum`;

const PERSON = new Set([
  'user_id',
  'created_by',
  'added_by',
  'shared_by',
  'accepted_by',
  'invited_by',
  'caused_by',
  'authorized_by',
  'updated_by',
]);

export async function readColumns(db: Database): Promise<Column[]> {
  const { rows } = await db.query<Column>(COLUMNS, [db.schema]);
  return rows;
}

export async function dropValueChecks(db: Database): Promise<void> {
  const { rows } = await db.query<{ sql: string }>(
    `select case when k.conrelid = 0 then format('alter domain %s drop constraint %I', k.contypid::regtype, k.conname)
            else format('alter table %s drop constraint %I', k.conrelid::regclass, k.conname) end as sql
       from pg_constraint k left join pg_class c on c.oid = k.conrelid
      where k.connamespace = to_regnamespace($1) and k.contype = 'c' and c.relispartition is not true`,
    [db.schema],
  );
  for (const { sql } of rows) await db.query(sql);
}

/** `given` overrides single columns of a table. */
export async function fillTables(
  db: Database,
  tables: readonly string[],
  owners: Owners,
  given: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): Promise<void> {
  const columns = await readColumns(db);
  await db.transaction(async (tx) => {
    // Rows refer to each other in a circle, and triggers would refuse what a test makes up.
    await tx.query("set local session_replication_role = 'replica'");
    for (const table of tables) await insert(tx, table, columns, owners, given[table] ?? {});
  });
}

async function insert(
  tx: Transaction,
  table: string,
  columns: readonly Column[],
  owners: Owners,
  given: Readonly<Record<string, unknown>>,
): Promise<void> {
  const own = columns.filter((each) => each.table === table && each.type !== 'xid8');
  const values = own.map((each) => (each.column in given ? given[each.column] : valueOf(each, owners)));
  const names = own.map(({ column }) => column).join(', ');
  await tx.query(
    `insert into :schema.${table} (${names}) values (${values.map((_, at) => `$${at + 1}`).join(', ')})`,
    values,
  );
}

function valueOf({ table, column, type, target, target_column: targetColumn }: Column, owners: Owners): unknown {
  const owner = ownerOf(
    target === null ? table : target,
    target === null ? column : (targetColumn ?? ''),
    column,
    owners,
  );
  if (owner !== undefined) return owner;
  if (target !== null) return keyOf(target, owners);
  switch (type) {
    case 'text':
      return column === 'id' ? keyOf(table, owners) : owners.mark;
    case 'text[]':
      return [owners.mark];
    case 'jsonb':
      return JSON.stringify({ text: owners.mark });
    case 'bytea':
      return Buffer.from(owners.mark.padEnd(16, '.'));
    case 'tsvector':
      return `'${owners.mark}':1`;
    case 'real[]':
      return [1];
    case 'boolean':
      return false;
    case 'date':
    case 'timestamp with time zone':
      return new Date();
    default:
      return 1;
  }
}

function ownerOf(
  table: string,
  column: string,
  own: string,
  { person, organization, workspace }: Owners,
): string | undefined {
  if ((table === 'identity_user' && column === 'id') || PERSON.has(own)) return person;
  if ((table === 'organization' && column === 'id') || own === 'organization_id') return organization;
  if ((table === 'workspace' && column === 'id') || own === 'workspace_id') return workspace;
  return undefined;
}

/** Ids that hold no mark, so that a mark that is found is text of somebody. */
const keyOf = (table: string, { person }: Owners): string => `${table}_${person}`;
