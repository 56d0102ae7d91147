// What became of each chat and project of a file. A decision is counted in the row of the import, in the order of the
// file, in the transaction that carries it out: so each is made once, also if two processes believe that it is theirs.
import type { ImportNotes, ImportOutcome, ImportReason, ImportSource } from '../../contract/imports/import-words.ts';
import type { ImportItem } from '../../contract/imports/imports.ts';
import type { Queryable, Transaction } from '../../store/database.ts';
import { getImport } from './imports.ts';

/** How long a process has an import before another may take it; extended while it works. */
export const TAKEN_FOR = '20 seconds';

export interface Decision {
  readonly kind: ImportItem['kind'];
  readonly outcome: ImportOutcome;
  readonly title: string;
  readonly threadId?: string | undefined;
  readonly reason?: ImportReason | undefined;
  readonly messages?: number | undefined;
  readonly notes?: ImportNotes | undefined;
  readonly source?: ImportSource | undefined;
}

export interface DecidedAt {
  readonly importId: string;
  readonly number: number;
  readonly progress: number;
}

/** The import was cancelled or deleted, or another process has decided this one. */
export class SupersededError extends Error {}

export async function decide(
  tx: Transaction,
  { importId, number, progress }: DecidedAt,
  decision: Decision,
): Promise<void> {
  const { outcome } = decision;
  const { rowCount } = await tx.query(
    `update :schema.chat_import set next = next + 1, progress = greatest(progress, $3), tries = 0, source = coalesce(source, $4),
            taken = taken + $5, present = present + $6, left_out = left_out + $7, taken_until = now() + interval '${TAKEN_FOR}'
      where id = $1 and next = $2 and state = 'running'`,
    [
      importId,
      number,
      progress,
      decision.source ?? null,
      ...(['taken', 'present', 'left-out'] as const).map((each) => (each === outcome ? 1 : 0)),
    ],
  );
  if (rowCount === 0) throw new SupersededError('the import goes on elsewhere or has ended');
  await tx.query(
    `insert into :schema.chat_import_item (import_id, number, kind, outcome, title, thread_id, reason, messages, notes)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      importId,
      number,
      decision.kind,
      outcome,
      decision.title,
      decision.threadId ?? null,
      decision.reason ?? null,
      decision.messages ?? 0,
      JSON.stringify(decision.notes ?? {}),
    ],
  );
}

interface ItemRow extends Record<string, unknown> {
  number: number;
  kind: ImportItem['kind'];
  outcome: ImportOutcome;
  title: string;
  thread: string | null;
  reason: ImportReason | null;
  messages: number;
  notes: ImportNotes;
}

export interface ItemPage {
  readonly userId: string;
  readonly importId: string;
  readonly outcome?: ImportOutcome | undefined;
  /** The number of the last one of the page before. */
  readonly after: number;
  readonly limit: number;
}

export async function listItems(
  db: Queryable,
  { userId, importId, outcome, after, limit }: ItemPage,
): Promise<ImportItem[]> {
  await getImport(db, userId, importId);
  const { rows } = await db.query<ItemRow>(
    `select e.number, e.kind, e.outcome, e.title, t.id as thread, e.reason, e.messages, e.notes
       from :schema.chat_import_item e left join :schema.chat_thread t on t.id = e.thread_id and t.user_id = $1
      where e.import_id = $2 and e.number > $3 and ($4::text is null or e.outcome = $4) order by e.number limit $5`,
    [userId, importId, after, outcome ?? null, limit],
  );
  return rows.map(({ thread, reason, ...item }) => ({
    ...item,
    ...(thread === null ? {} : { thread }),
    ...(reason === null ? {} : { reason }),
  }));
}

const PAGE = 500;

/** All of them, a page at a time. */
export async function* itemsInOrder(db: Queryable, userId: string, importId: string): AsyncGenerator<ImportItem[]> {
  for (let after = -1; ;) {
    const items = await listItems(db, { userId, importId, after, limit: PAGE });
    const last = items.at(-1);
    if (!last) return;
    yield items;
    after = last.number;
  }
}
