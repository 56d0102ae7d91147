// Files of projects as rows. A statement reaches a file only through a project that the person sees or may change.
import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { PROJECT_LIMITS } from '../../contract/project-limits.ts';
import type { ProjectFile } from '../../contract/projects.ts';
import { takeStorage } from '../../enforcement/storage.ts';
import type { Database, Queryable } from '../../store/database.ts';
import { notify } from '../../store/listen.ts';
import { cleanName } from '../attachments/clean-name.ts';
import { sniffType } from '../attachments/sniff-type.ts';
import { EDITS, getEditableProject, getProject, SEES } from './projects.ts';

/** Announces that a file waits to be read. */
export const FILES_TOPIC = 'project-files';

interface FileRow extends Record<string, unknown> {
  id: string;
  name: string;
  type: string;
  size: number;
  added_by: string;
  state: ProjectFile['state'];
  reason: string | null;
  created_at: Date;
}

const COLUMNS = 'f.id, f.name, f.type, f.size, f.added_by, f.state, f.reason, f.created_at';

export interface FilePage {
  readonly userId: string;
  readonly projectId: string;
  /** The last file of the page before. */
  readonly after: string;
  readonly limit: number;
}

/** The latest first. */
export async function listFiles(db: Queryable, { userId, projectId, after, limit }: FilePage): Promise<ProjectFile[]> {
  await getProject(db, userId, projectId);
  const { rows } = await db.query<FileRow>(
    `select ${COLUMNS} from :schema.project_file f join :schema.project p on p.id = f.project_id
      where p.id = $2 and ${SEES} and ($3 = '' or f.id < $3) order by f.id desc limit $4`,
    [userId, projectId, after, limit],
  );
  return rows.map(toFile);
}

export interface FileUpload {
  readonly user: { readonly id: string; readonly name: string };
  readonly projectId: string;
  readonly name: string;
  readonly content: Buffer;
  /** The storage limit of the organization. */
  readonly storageBytes: number;
}

/** Stores a file; its text is read afterwards. */
export async function addFile(
  db: Database,
  { user, projectId, name: given, content, storageBytes }: FileUpload,
): Promise<ProjectFile> {
  if (content.length > PROJECT_LIMITS.bytes)
    throw new AppError('request_too_large', { limitBytes: PROJECT_LIMITS.bytes });
  if (content.length === 0) throw new AppError('invalid_request', { file: 'is empty' });
  const name = cleanName(given);
  const type = sniffType(content, name);
  // There is no text in an image.
  if (type === undefined || type.startsWith('image/')) throw new AppError('file_type_unsupported');
  const file = await db.transaction(async (tx) => {
    const { organization, workspace } = await getEditableProject(tx, user.id, projectId);
    // Two at once cannot exceed the limit together.
    await tx.query('select 1 from :schema.project where id = $1 for no key update', [projectId]);
    await takeStorage(tx, organization, content.length, storageBytes);
    const id = newId('pfl');
    const { rows } = await tx.query<FileRow>(
      `insert into :schema.project_file as f (id, organization_id, workspace_id, project_id, name, type, size, user_id, added_by)
       select $1, $2, $3, p.id, $5, $6, $7, $8, $9 from :schema.project p
        where p.id = $4 and (select count(*) from :schema.project_file o where o.project_id = p.id) < $10 returning ${COLUMNS}`,
      [id, organization, workspace, projectId, name, type, content.length, user.id, user.name, PROJECT_LIMITS.files],
    );
    if (!rows[0]) throw new AppError('too_many_project_files', { limit: PROJECT_LIMITS.files });
    await tx.query('insert into :schema.project_file_content (file_id, content) values ($1, $2)', [id, content]);
    await notify(tx, db, FILES_TOPIC, id);
    return toFile(rows[0]);
  });
  return file;
}

export async function removeFile(db: Queryable, userId: string, projectId: string, fileId: string): Promise<void> {
  const { rowCount } = await db.query(
    `delete from :schema.project_file f using :schema.project p where f.id = $3 and f.project_id = p.id and p.id = $2 and ${EDITS}`,
    [userId, projectId, fileId],
  );
  if (rowCount > 0) return;
  await getEditableProject(db, userId, projectId);
  throw new AppError('not_found');
}

/** As it was uploaded. */
export async function getFile(
  db: Queryable,
  userId: string,
  projectId: string,
  fileId: string,
): Promise<ProjectFile & { readonly content: Buffer }> {
  const { rows } = await db.query<FileRow & { content: Buffer }>(
    `select ${COLUMNS}, c.content from :schema.project_file f join :schema.project p on p.id = f.project_id
       join :schema.project_file_content c on c.file_id = f.id where f.id = $3 and p.id = $2 and ${SEES}`,
    [userId, projectId, fileId],
  );
  const [row] = rows;
  if (!row) throw new AppError('not_found');
  return { ...toFile(row), content: row.content };
}

function toFile(row: FileRow): ProjectFile {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    size: row.size,
    addedBy: row.added_by,
    state: row.state,
    ...(row.reason === null ? {} : { reason: row.reason }),
    createdAt: row.created_at.toISOString(),
  };
}
