// Finds messages by their words. How words are reduced and compared is in migrations/functions/threads.sql; the words to
// mark in a snippet are compared there as well, so that what is marked is what was found.
import { PAGE_BYTES } from '../base/page-bytes.ts';
import type { FoundMessage } from '../contract/threads.ts';
import type { Queryable } from '../store/database.ts';
import { cutSnippet, wordsLike } from './cut-snippet.ts';
import { stripMarkdown } from './strip-markdown.ts';
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
  /** Of those found, before the page was cut. */
  found: number;
}

/** Of a message; no more is searched. */
const BODY_CHARACTERS = 100_000;
/** What a page reads to cut its snippets from: of the texts as they are sent here, and of the messages in the database. */
const BODIES_BYTES = PAGE_BYTES / 4;
const READ_BYTES = 4 * PAGE_BYTES;

/**
 * The latest first. Only the person's own threads, in an organization that they are in. A page of long messages has fewer
 * than `limit`; with a cursor there are more.
 */
export async function searchMessages(
  db: Queryable,
  search: MessageSearch,
): Promise<{ hits: MessageHit[]; cursor?: string }> {
  const { rows: parsed } = await db.query<{ query: string | null }>(
    'select :schema.chat_search_query($1)::text as query',
    [search.text],
  );
  const query = parsed[0]?.query ?? undefined;
  if (query === undefined) return { hits: [] };
  const rows = await findRows(db, search, query);
  const marked = await findMatchingWords(
    db,
    query,
    wordsLike(
      search.text,
      rows.map(({ body }) => body),
    ),
  );
  const hits = rows.map((row) => ({
    thread: toThread(row),
    message: { id: row.message_id, role: row.role, createdAt: row.said_at.toISOString() },
    snippet: cutSnippet(stripMarkdown(row.body), marked),
  }));
  const last = rows.at(-1);
  return { hits, ...(last && last.found > rows.length ? { cursor: last.message_id } : {}) };
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
         from place p where $4::text is null or p.workspace_id is not null),
     page as (
       select f.* from (
         select m.id as message_id, count(*) over ()::int as found, row_number() over latest as number,
                sum(least(m.bytes, ${BODY_CHARACTERS})) over latest as body_bytes, sum(m.bytes) over latest as read_bytes
           from hit join :schema.chat_message m on m.id = hit.message_id join :schema.chat_thread t on t.id = m.thread_id
           join :schema.acting_member o on o.organization_id = t.organization_id and o.user_id = t.user_id
          where t.user_id = $1 and t.organization_id = $2
         window latest as (order by m.id desc)) f
        where f.number = 1 or (f.number <= $7 and f.body_bytes <= ${BODIES_BYTES} and f.read_bytes <= ${READ_BYTES}))
     select ${COLUMNS}, m.id as message_id, m.role, m.created_at as said_at, left(:schema.chat_message_text(m.parts), ${BODY_CHARACTERS}) as body, page.found
       from page join :schema.chat_message m on m.id = page.message_id join :schema.chat_thread t on t.id = m.thread_id
      order by m.id desc`,
    // One more than the page has, to know whether there is another.
    [userId, organizationId, query, workspace ?? null, after ?? null, limit + 1, limit],
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
