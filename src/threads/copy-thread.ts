// "Continue from here in a new chat": the shown messages up to one of them, as a thread of their own. Files are copied
// too, because they are deleted with the thread they belong to.
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { takeStorage } from '../enforcement/storage.ts';
import type { Database, Transaction } from '../store/database.ts';
import { getThread, insertThread, type StoredThread } from './threads.ts';

export interface CopyOptions {
  readonly userId: string;
  readonly threadId: string;
  /** The last message to copy. */
  readonly messageId: string;
  /** The storage limit of the organization. */
  readonly storageBytes: number;
}

export function copyThread(
  db: Database,
  { userId, threadId, messageId, storageBytes }: CopyOptions,
): Promise<StoredThread> {
  return db.transaction(async (tx) => {
    const {
      organizationId,
      workspace,
      workspacePicked = false,
      title,
      project,
    } = await getThread(tx, userId, threadId);
    const copied = await listUpTo(tx, threadId, messageId);
    const id = newId('thr');
    const place = { organizationId, workspaceId: workspace, workspacePicked };
    await insertThread(tx, { id, ...place, userId, title, projectId: project });
    const files = await copyFiles(tx, { organizationId, threadId, copyId: id, storageBytes }, copied);
    await copyMessages(tx, { threadId, copyId: id }, copied, files);
    // It keeps the name of the conversation that it comes from.
    await tx.query("update :schema.chat_thread set messages = $2, title_from = 'person' where id = $1", [
      id,
      copied.length,
    ]);
    return getThread(tx, userId, id);
  });
}

interface Copied extends Record<string, unknown> {
  id: string;
  files: string[];
}

async function listUpTo(tx: Transaction, threadId: string, messageId: string): Promise<Copied[]> {
  const { rows } = await tx.query<Copied>(
    `select m.id, array(select p -> 'data' ->> 'id' from jsonb_array_elements(m.parts) p where p ->> 'type' = 'data-attachment') as files
       from :schema.chat_message m
      where m.thread_id = $1 and m.position <= (select l.position from :schema.chat_message l where l.thread_id = $1 and l.id = $2)
      order by m.position`,
    [threadId, messageId],
  );
  if (rows.length === 0) throw new AppError('not_found');
  return rows;
}

/** The id of each file's copy. */
async function copyFiles(
  tx: Transaction,
  place: { organizationId: string; threadId: string; copyId: string; storageBytes: number },
  messages: readonly Copied[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(messages.flatMap(({ files }) => files))];
  if (ids.length === 0) return new Map();
  const copies = ids.map(() => newId('att'));
  const { rows } = await tx.query<{ bytes: number }>(
    'select coalesce(sum(size + text_bytes), 0)::bigint as bytes from :schema.chat_attachment where thread_id = $1 and id = any($2)',
    [place.threadId, ids],
  );
  await takeStorage(tx, place.organizationId, rows[0]?.bytes ?? 0, place.storageBytes);
  await tx.query(
    `insert into :schema.chat_attachment (id, organization_id, user_id, thread_id, name, type, size, parts, content, text, text_bytes)
     select n.copy, a.organization_id, a.user_id, $1, a.name, a.type, a.size, a.parts, a.content, a.text, a.text_bytes
       from unnest($3::text[], $4::text[]) n (id, copy) join :schema.chat_attachment a on a.id = n.id and a.thread_id = $2`,
    [place.copyId, place.threadId, ids, copies],
  );
  await tx.query(
    `insert into :schema.chat_attachment_piece (attachment_id, position, text, model, embedding)
     select n.copy, p.position, p.text, p.model, p.embedding
       from unnest($1::text[], $2::text[]) n (id, copy)
       join :schema.chat_attachment c on c.id = n.copy
       join :schema.chat_attachment_piece p on p.attachment_id = n.id`,
    [ids, copies],
  );
  return new Map(ids.map((id, index) => [id, copies[index] ?? id]));
}

async function copyMessages(
  tx: Transaction,
  { threadId, copyId }: { threadId: string; copyId: string },
  messages: readonly Copied[],
  files: ReadonlyMap<string, string>,
): Promise<void> {
  await tx.query(
    `insert into :schema.chat_message (thread_id, position, id, role, parts, metadata, created_at)
     select $1, m.position, n.copy, m.role,
            (select coalesce(jsonb_agg(case when p.part ->> 'type' = 'data-attachment' and $5::jsonb ? (p.part -> 'data' ->> 'id')
                                            then jsonb_set(p.part, '{data,id}', $5::jsonb -> (p.part -> 'data' ->> 'id')) else p.part end
                                       order by p.at), '[]')
               from jsonb_array_elements(m.parts) with ordinality p (part, at)),
            m.metadata, m.created_at
       from unnest($3::text[], $4::text[]) n (id, copy) join :schema.chat_message m on m.thread_id = $2 and m.id = n.id`,
    [
      copyId,
      threadId,
      messages.map(({ id }) => id),
      messages.map(() => newId('msg')),
      JSON.stringify(Object.fromEntries(files)),
    ],
  );
}
