// Finds messages by their words. How words are reduced and compared is in migrations/functions/threads.sql; the words to
// mark in a snippet are compared there as well, so that what is marked is what was found.
import type { FoundMessage } from '../../contract/threads.ts';
import type { Queryable } from '../../store/database.ts';
import { cutSnippet, wordsLike } from './cut-snippet.ts';
import { COLUMNS, type StoredThread, type ThreadRow, toThread } from './threads.ts';

export interface MessageSearch {
  readonly userId: string;
  readonly organizationId: string;
  readonly workspace?: string | undefined;
  readonly text: string;
  /** The last message of the previous page. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface MessageHit {
  readonly thread: StoredThread;
  readonly message: FoundMessage['message'];
  readonly snippet: FoundMessage['snippet'];
}

interface HitRow extends ThreadRow {
  message_id: string;
  role: 'user' | 'assistant';
  said_at: Date;
  body: string;
}

/** The latest first. Only the person's own threads, in an organization that they are in. */
export async function searchMessages(db: Queryable, search: MessageSearch): Promise<MessageHit[]> {
  const { rows: parsed } = await db.query<{ query: string | null }>(
    'select :schema.chat_search_query($1)::text as query',
    [search.text],
  );
  const query = parsed[0]?.query ?? undefined;
  if (query === undefined) return [];
  const rows = await findRows(db, search, query);
  const marked = await findMatchingWords(
    db,
    query,
    wordsLike(
      search.text,
      rows.map(({ body }) => body),
    ),
  );
  return rows.map((row) => ({
    thread: toThread(row),
    message: { id: row.message_id, role: row.role, createdAt: row.said_at.toISOString() },
    snippet: cutSnippet(row.body, marked),
  }));
}

async function findRows(
  db: Queryable,
  { userId, organizationId, workspace, after, limit }: MessageSearch,
  query: string,
): Promise<HitRow[]> {
  // Whose message it is decides the index already; the thread's own row and the membership are what counts.
  const { rows } = await db.query<HitRow>(
    `with place as (
       select (select w.id from :schema.workspace w where w.organization_id = $2 and (w.id = $4 or w.slug = $4)) as workspace_id),
     hit as materialized (
       select :schema.chat_search_find($2, $1, p.workspace_id, $3::tsquery, $5, $6) as message_id
         from place p where $4::text is null or p.workspace_id is not null)
     select ${COLUMNS}, m.id as message_id, m.role, m.created_at as said_at, left(:schema.chat_message_text(m.parts), 100000) as body
       from hit join :schema.chat_message m on m.id = hit.message_id join :schema.chat_thread t on t.id = m.thread_id
       join :schema.organization_member o on o.organization_id = t.organization_id and o.user_id = t.user_id
      where t.user_id = $1 and t.organization_id = $2
      order by m.id desc`,
    [userId, organizationId, query, workspace ?? null, after ?? null, limit],
  );
  return rows;
}

async function findMatchingWords(db: Queryable, query: string, words: readonly string[]): Promise<Set<string>> {
  if (words.length === 0) return new Set();
  // Any of the words searched for is to be marked, not only a word that has all of them.
  const { rows } = await db.query<{ word: string }>(
    `select w.word from unnest($1::text[]) as w (word) where :schema.chat_search_words(w.word) @@ replace($2, ' & ', ' | ')::tsquery`,
    [words, query],
  );
  return new Set(rows.map(({ word }) => word));
}
