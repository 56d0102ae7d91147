// A page of messages ends by number and by size. Sizes are columns, summed before any text is touched: what does not
// belong to the page is neither decompressed by PostgreSQL nor sent to this process.
import { PAGE_BYTES } from '../base/page-bytes.ts';

/** Above every position and size. */
export const NO_BOUND = 2_147_483_647;

interface PageKind {
  /** Of messages as they are stored. The first is read in any case. */
  readonly readBytes: number;
  /** Of messages as they are sent. */
  readonly sentBytes: number;
  /** A larger message is sent by its beginning. */
  readonly cutBytes: number;
  /** Whether what is sent is counted by text alone, as a model gets it. */
  readonly counts: 'all' | 'text';
}

export const MESSAGE_PAGES = {
  /** For people: the longest answer still comes with its question. */
  shown: { readBytes: 8 * PAGE_BYTES, sentBytes: PAGE_BYTES, cutBytes: PAGE_BYTES / 16, counts: 'all' },
  /** For people: the messages on one side of the one that they look for. */
  half: { readBytes: 4 * PAGE_BYTES, sentBytes: PAGE_BYTES / 2, cutBytes: PAGE_BYTES / 16, counts: 'all' },
  /** For what has to read a whole conversation. */
  whole: { readBytes: PAGE_BYTES, sentBytes: NO_BOUND, cutBytes: NO_BOUND, counts: 'all' },
  /** For a model, with its own bound on what is sent. */
  model: { readBytes: 4 * PAGE_BYTES, sentBytes: 0, cutBytes: NO_BOUND, counts: 'text' },
} as const satisfies Record<string, PageKind>;

/**
 * The page of `rows` that begins at one end of them; they have `position`, `parts`, `bytes` and `text_bytes`, and use $1
 * and $2. The values from $3 on are those of `pageValues`. In the order of the conversation.
 */
export function pageOf(columns: string, rows: string, begins: 'first' | 'last'): string {
  const order = begins === 'first' ? 'asc' : 'desc';
  return `
select ${columns}, p.position, case when p.size > $6 then :schema.chat_message_cut(p.parts, $6) else p.parts end as parts, case when p.size > $6 then p.size end as whole_bytes
  from (select m.*, row_number() over page as number, sum(m.size) over page as read_bytes,
               sum(case when $7 then m.text_bytes else least(m.size, $6) end) over page as sent_bytes
          from (select r.*, r.bytes as size from (${rows}) r order by r.position ${order} limit $3) m
        window page as (order by m.position ${order})) p
 where (p.number = 1 or p.read_bytes <= $4) and p.sent_bytes <= $5 order by p.position`;
}

export function pageValues(limit: number, { readBytes, sentBytes, cutBytes, counts }: PageKind): unknown[] {
  return [limit, readBytes, sentBytes, cutBytes, counts === 'text'];
}
