// Imports as rows. Every statement is scoped to the person. The file is received in parts of one size, so that an upload
// can go on where it was cut off; what was received counts as stored until the import has ended.
import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { IMPORT_LIMITS, type ImportSource } from '../../contract/imports/import-words.ts';
import type { ChatImport } from '../../contract/imports/imports.ts';
import { cleanName } from '../../documents/attachments/clean-name.ts';
import { countStorage, takeStorage } from '../../enforcement/storage.ts';
import type { Database, Queryable } from '../../store/database.ts';
import { notify } from '../../store/listen.ts';

/** Announces that an import waits for a process. */
export const IMPORTS_TOPIC = 'chat-imports';

interface ImportRow extends Record<string, unknown> {
  id: string;
  organization_id: string;
  workspace_id: string;
  name: string;
  size: number;
  received: number;
  state: ChatImport['state'];
  reason: string | null;
  source: ImportSource | null;
  progress: number;
  taken: number;
  present: number;
  left_out: number;
  created_at: Date;
  ended_at: Date | null;
}

const COLUMNS =
  'i.id, i.organization_id, i.workspace_id, i.name, i.size, i.received, i.state, i.reason, i.source, i.progress, i.taken, i.present, i.left_out, i.created_at, i.ended_at';
/** Import $2 of person $1. */
const OWN = 'i.id = $2 and i.user_id = $1';

export interface NewImport {
  readonly userId: string;
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly workspacePicked: boolean;
  readonly withProjects: boolean;
  readonly name: string;
  readonly size: number;
}

export interface ImportBounds {
  /** The largest file: `SERVICE_IMPORT_MAX_MIB`. */
  readonly importMib: number;
  /** The storage limit of the organization. */
  readonly storageBytes: number;
}

/** Refuses a file for its size before any of it is sent. */
export async function createImport(
  db: Queryable,
  { userId, organizationId, workspaceId, workspacePicked, withProjects, name, size }: NewImport,
  { importMib, storageBytes }: ImportBounds,
): Promise<ChatImport> {
  if (size > importMib * 1024 * 1024) throw new AppError('import_too_large', { limitMib: importMib });
  if ((await countStorage(db, organizationId)) + size > storageBytes)
    throw new AppError('storage_full', { limitBytes: storageBytes });
  const { rows } = await db.query<ImportRow>(
    `insert into :schema.chat_import as i (id, organization_id, workspace_id, user_id, workspace_picked, with_projects, name, size)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (user_id) where ended_at is null do nothing returning ${COLUMNS}`,
    [newId('imp'), organizationId, workspaceId, userId, workspacePicked, withProjects, cleanName(name), size],
  );
  if (!rows[0]) throw new AppError('import_in_progress');
  return toImport(rows[0]);
}

export async function getImport(db: Queryable, userId: string, id: string): Promise<ChatImport> {
  const { rows } = await db.query<ImportRow>(`select ${COLUMNS} from :schema.chat_import i where ${OWN}`, [userId, id]);
  if (!rows[0]) throw new AppError('not_found');
  return toImport(rows[0]);
}

export interface ImportPage {
  readonly userId: string;
  readonly organizationId: string;
  /** The last import of the page before. */
  readonly after: string;
  readonly limit: number;
}

/** The latest first. */
export async function listImports(
  db: Queryable,
  { userId, organizationId, after, limit }: ImportPage,
): Promise<ChatImport[]> {
  const { rows } = await db.query<ImportRow>(
    `select ${COLUMNS} from :schema.chat_import i where i.user_id = $1 and i.organization_id = $2 and ($3 = '' or i.id < $3)
      order by i.id desc limit $4`,
    [userId, organizationId, after, limit],
  );
  return rows.map(toImport);
}

export interface ImportPart {
  readonly userId: string;
  readonly importId: string;
  readonly position: number;
  readonly content: Buffer;
}

/** Stores a part; the same part again changes nothing. */
export function putPart(
  db: Database,
  { userId, importId, position, content }: ImportPart,
  { storageBytes }: Pick<ImportBounds, 'storageBytes'>,
): Promise<ChatImport> {
  return db.transaction(async (tx) => {
    const { rows } = await tx.query<ImportRow>(
      `select ${COLUMNS} from :schema.chat_import i where ${OWN} for no key update`,
      [userId, importId],
    );
    const [found] = rows;
    if (!found) throw new AppError('not_found');
    if (found.state !== 'uploading') throw new AppError('import_closed');
    const expected = Math.min(IMPORT_LIMITS.partBytes, found.size - position * IMPORT_LIMITS.partBytes);
    if (expected <= 0) throw new AppError('invalid_request', { part: 'is beyond the end of the file' });
    if (content.length !== expected) throw new AppError('invalid_request', { body: `must have ${expected} bytes` });
    const { rowCount } = await tx.query(
      `insert into :schema.chat_import_piece (import_id, position, organization_id, size, content)
       values ($1, $2, $3, $4, $5) on conflict do nothing`,
      [importId, position, found.organization_id, expected, content],
    );
    if (rowCount === 0) return toImport(found);
    await takeStorage(tx, found.organization_id, expected, storageBytes);
    const updated = await tx.query<ImportRow>(
      `update :schema.chat_import i set received = i.received + $3, updated_at = now() where ${OWN} returning ${COLUMNS}`,
      [userId, importId, expected],
    );
    return toImport(updated.rows[0] ?? found);
  });
}

/** The parts that were received, so that an upload can go on. */
export async function listParts(db: Queryable, importId: string): Promise<number[]> {
  const { rows } = await db.query<{ position: number }>(
    'select position from :schema.chat_import_piece where import_id = $1 order by position',
    [importId],
  );
  return rows.map(({ position }) => position);
}

export function startImport(db: Database, userId: string, id: string): Promise<ChatImport> {
  return db.transaction(async (tx) => {
    const { rows } = await tx.query<ImportRow>(
      `update :schema.chat_import i set state = 'waiting', updated_at = now()
        where ${OWN} and i.state = 'uploading' and i.received = i.size returning ${COLUMNS}`,
      [userId, id],
    );
    if (rows[0]) {
      await notify(tx, db, IMPORTS_TOPIC, id);
      return toImport(rows[0]);
    }
    const found = await getImport(tx, userId, id);
    if (found.state === 'uploading') throw new AppError('import_incomplete');
    return found;
  });
}

/** What was taken stays. One that has ended stays as it is. */
export function cancelImport(db: Database, userId: string, id: string): Promise<ChatImport> {
  return db.transaction(async (tx) => {
    const { rowCount } = await tx.query(
      `update :schema.chat_import i set state = 'cancelled', ended_at = now() where ${OWN} and i.ended_at is null`,
      [userId, id],
    );
    if (rowCount > 0) await dropPieces(tx, id);
    return getImport(tx, userId, id);
  });
}

export async function dropPieces(db: Queryable, importId: string): Promise<void> {
  await db.query('delete from :schema.chat_import_piece where import_id = $1', [importId]);
}

/** Uploads that nobody goes on with, and reports that have been kept long enough. */
export async function dropStale(db: Queryable): Promise<void> {
  await db.query(
    `with abandoned as (
       update :schema.chat_import set state = 'cancelled', ended_at = now()
        where state = 'uploading' and updated_at < now() - interval '1 day' returning id)
     delete from :schema.chat_import_piece p using abandoned a where p.import_id = a.id`,
  );
  await db.query("delete from :schema.chat_import where ended_at < now() - interval '90 days'");
}

function toImport(row: ImportRow): ChatImport {
  return {
    id: row.id,
    organization: row.organization_id,
    workspace: row.workspace_id,
    name: row.name,
    size: row.size,
    received: row.received,
    state: row.state,
    progress: row.state === 'done' ? 1 : row.progress,
    taken: row.taken,
    present: row.present,
    leftOut: row.left_out,
    createdAt: row.created_at.toISOString(),
    ...(row.source === null ? {} : { source: row.source }),
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.ended_at === null ? {} : { endedAt: row.ended_at.toISOString() }),
  };
}
