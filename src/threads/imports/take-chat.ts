// Takes one conversation into the workspace: its files first, as uploads that were not sent yet, then everything else in
// one transaction. What a process that dies leaves of the files goes the way of any upload that is not sent.
import { AppError, type ErrorCode } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { ImportNote } from '../../contract/imports/import-words.ts';
import type { MessagePart } from '../../contract/threads.ts';
import { type Attachment, claimAttachments } from '../../documents/attachments/attachments.ts';
import { storeAttachment } from '../../documents/attachments/store-attachment.ts';
import type { Database, Queryable, Transaction } from '../../store/database.ts';
import { decide, type DecidedAt } from './import-items.ts';
import type { OpenExport } from './open-export.ts';
import type { ImportedChat, ImportedPart, ImportedRow } from './read-element.ts';
import { count, type Counts, type SourceFile } from './source-conversation.ts';

export interface Place {
  readonly userId: string;
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly workspacePicked: boolean;
  /** The storage limit of the organization. */
  readonly storageBytes: number;
}

export interface TakeOptions {
  readonly place: Place;
  readonly at: DecidedAt;
  readonly projectId: string | undefined;
  readonly findFile: OpenExport['findFile'];
}

export async function takeChat(
  db: Database,
  chat: ImportedChat,
  { place, at, projectId, findFile }: TakeOptions,
  signal: AbortSignal,
): Promise<void> {
  const { source, title } = chat;
  const known = await findImported(db, place, chat);
  if (known !== undefined)
    return db.transaction((tx) => decide(tx, at, { kind: 'chat', outcome: 'present', title, threadId: known, source }));
  const notes: Counts = { ...chat.notes };
  const files = await storeFiles(db, chat.files, { place, findFile, notes }, signal);
  await db.transaction(async (tx) => {
    const threadId = newId('thr', Date.parse(chat.createdAt));
    const decision = {
      kind: 'chat',
      outcome: 'taken',
      title,
      threadId,
      source,
      messages: chat.messages,
      notes,
    } as const;
    await decide(tx, at, decision);
    await insertChat(tx, chat, { threadId, place, projectId });
    const ids = [...new Set(files.flatMap((file) => (typeof file === 'object' ? [file.id] : [])))];
    await claimAttachments(tx, { userId: place.userId, organizationId: place.organizationId, threadId, ids });
    for (const rows of chat.batches)
      await insertMessages(tx, threadId, chat.files.length === 0 ? rows : fillFiles(rows, files));
  });
}

async function findImported(
  db: Queryable,
  { userId, organizationId }: Place,
  { source, sourceId }: ImportedChat,
): Promise<string | undefined> {
  const { rows } = await db.query<{ thread_id: string }>(
    'select thread_id from :schema.chat_imported where organization_id = $1 and user_id = $2 and source = $3 and source_id = $4',
    [organizationId, userId, source, sourceId],
  );
  return rows[0]?.thread_id;
}

/** What is wrong with a file itself; anything else is tried again with the conversation. */
const FILE_NOTES: Partial<Record<ErrorCode, ImportNote>> = {
  attachment_type_unsupported: 'file-unsupported',
  file_damaged: 'file-unsupported',
  file_encrypted: 'file-unsupported',
  file_too_complex: 'file-unsupported',
  file_without_text: 'file-unsupported',
  invalid_request: 'file-unsupported',
  request_too_large: 'file-too-large',
  storage_full: 'storage-full',
};

interface Storing {
  readonly place: Place;
  readonly findFile: OpenExport['findFile'];
  readonly notes: Counts;
}

/** The attachment for each file, or the name of one that was not taken. */
async function storeFiles(
  db: Database,
  files: readonly SourceFile[],
  { place, findFile, notes }: Storing,
  signal: AbortSignal,
): Promise<(Attachment | string)[]> {
  const byReference = new Map<string, Attachment | ImportNote>();
  const stored: (Attachment | string)[] = [];
  for (const file of files) {
    const known = file.reference === undefined ? undefined : byReference.get(file.reference);
    const result = known ?? (await storeFile(db, file, { place, findFile }, signal));
    if (file.reference !== undefined) byReference.set(file.reference, result);
    if (typeof result === 'string') count(notes, result);
    stored.push(typeof result === 'string' ? file.name : result);
  }
  return stored;
}

async function storeFile(
  db: Database,
  file: SourceFile,
  { place, findFile }: Omit<Storing, 'notes'>,
  signal: AbortSignal,
): Promise<Attachment | ImportNote> {
  const found = file.text === undefined ? await findFile(file.reference ?? '') : { content: Buffer.from(file.text) };
  if (found === undefined) return 'file-missing';
  if (found === 'too-large') return 'file-too-large';
  // What ChatGPT keeps as `file_12.dat` has its real name in the message, if anywhere.
  const name = file.name === file.reference && 'name' in found ? found.name : file.name;
  const { userId, organizationId: organization, storageBytes } = place;
  try {
    return await storeAttachment(db, { userId, organization, name, content: found.content, storageBytes }, signal);
  } catch (error) {
    const note = error instanceof AppError ? FILE_NOTES[error.code] : undefined;
    if (note === undefined) throw error;
    return note;
  }
}

async function insertChat(
  tx: Transaction,
  chat: ImportedChat,
  { threadId, place, projectId }: { threadId: string; place: Place; projectId: string | undefined },
): Promise<void> {
  const { rowCount } = await tx.query(
    `insert into :schema.chat_thread (id, organization_id, workspace_id, workspace_picked, user_id, title, title_from, messages, created_at, updated_at, archived_at, project_id)
     select $1, v.organization_id, v.workspace_id, $5, v.user_id, $6, 'person', $7, $8, $9, case when $10 then $9::timestamptz end,
            (select p.id from :schema.project p where p.id = $11 and p.organization_id = $2 and p.workspace_id = $3)
       from :schema.member_workspace v where v.organization_id = $2 and v.workspace_id = $3 and v.user_id = $4 and v.is_member`,
    [
      threadId,
      place.organizationId,
      place.workspaceId,
      place.userId,
      place.workspacePicked,
      chat.title,
      chat.shown,
      chat.createdAt,
      chat.updatedAt,
      chat.archived,
      projectId ?? null,
    ],
  );
  if (rowCount === 0) throw new AppError('workspace_membership_required');
  await tx.query(
    'insert into :schema.chat_imported (organization_id, user_id, source, source_id, thread_id) values ($1, $2, $3, $4, $5)',
    [place.organizationId, place.userId, chat.source, chat.sourceId, threadId],
  );
}

async function insertMessages(tx: Transaction, threadId: string, rows: string): Promise<void> {
  await tx.query(
    `with given as materialized (
       select * from jsonb_to_recordset($2::jsonb) as g (id text, position int, parent_id text, role text, parts jsonb, metadata jsonb, created_at timestamptz)
     ), aside as (
       insert into :schema.chat_message_version (thread_id, id, parent_id, role, parts, metadata, created_at, shown_at)
       select $1, id, parent_id, role, parts, metadata, created_at, created_at from given where position is null
     )
     insert into :schema.chat_message (thread_id, position, id, role, parts, metadata, created_at)
     select $1, position, id, role, parts, metadata, created_at from given where position is not null`,
    [threadId, rows],
  );
}

/** A file that was not taken is named in its place, so that the conversation can still be followed. */
function fillFiles(rows: string, files: readonly (Attachment | string)[]): string {
  const fill = (part: ImportedPart): MessagePart => {
    if (part.type !== 'file') return part;
    const file = files[part.file] ?? '';
    if (typeof file === 'string') return { type: 'text', text: `[${file}]` };
    const { id, name, type, size, parts } = file;
    return { type: 'data-attachment', data: { id, name, type, size, ...(parts && { parts }) } };
  };
  const given = JSON.parse(rows) as ImportedRow[];
  return JSON.stringify(given.map((row) => ({ ...row, parts: row.parts.map(fill) })));
}
