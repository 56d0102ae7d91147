// A long text attachment, split into pieces that are embedded once and searched for every question. Pieces embedded
// before a failure are kept; the next question continues from there.
import type { Database } from '../../store/database.ts';
import type { TurnDeps } from '../../turns/answer-turn.ts';
import type { TurnCaller } from '../../turns/open-turn.ts';
import { EMBEDDING_MODEL, embedInBatches, type TextBatch } from './embed-texts.ts';
import { splitText } from './split-text.ts';

/** Only this much of a longer text is searched. */
export const SEARCHED_CHARACTERS = 2_000_000;

export interface EmbedDeps {
  readonly db: Database;
  readonly turns: TurnDeps;
}

export async function embedAttachment(
  { db, turns }: EmbedDeps,
  caller: TurnCaller,
  { id: attachmentId, text }: { readonly id: string; readonly text: string },
  signal: AbortSignal,
): Promise<void> {
  const pieces = splitText(text.slice(0, SEARCHED_CHARACTERS));
  const { rows } = await db.query<{ next: number }>(
    'select coalesce(max(position) + 1, 0) as next from :schema.chat_attachment_piece where attachment_id = $1',
    [attachmentId],
  );
  const store = ({ texts, vectors, at }: TextBatch): Promise<unknown> =>
    db.query(
      `insert into :schema.chat_attachment_piece (attachment_id, position, text, model, embedding)
       select $1, $2 + p.at - 1, p.text, $3, (select array_agg(v.value::real) from jsonb_array_elements_text(p.vector) as v (value))
         from rows from (unnest($4::text[]), unnest($5::jsonb[])) with ordinality as p (text, vector, at)
       on conflict do nothing`,
      [attachmentId, at, EMBEDDING_MODEL, texts, vectors.map((vector) => JSON.stringify(vector))],
    );
  await embedInBatches(turns, caller, { texts: pieces, from: rows[0]?.next ?? 0 }, { store, signal });
}

/** The pieces nearest to a question, in text order. */
export async function findPieces(
  db: Database,
  attachmentId: string,
  question: readonly number[],
  most: number,
): Promise<{ position: number; text: string }[]> {
  const { rows } = await db.query<{ position: number; text: string }>(
    `select position, text from (
       select p.position, p.text, (select sum(u.a * u.b) from unnest(p.embedding, $2::real[]) as u (a, b)) as nearness
         from :schema.chat_attachment_piece p where p.attachment_id = $1 order by nearness desc nulls last, p.position limit $3
     ) best order by position`,
    [attachmentId, question, most],
  );
  return rows;
}
