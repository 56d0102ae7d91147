// Embeddings of the pieces of project files. Each piece is embedded once, when its file is read or, if nothing could pay
// for it then, some at a time with later questions. Until then it is found by its words.
import type { Database } from '../../store/database.ts';
import type { TurnDeps } from '../../turns/answer-turn.ts';
import { EMBEDDING_MODEL, embedInBatches, type TextBatch } from '../attachments/embed-texts.ts';
import type { TurnCaller } from '../../turns/open-turn.ts';

export interface EmbedPieces {
  readonly projectId: string;
  /** Only this file's. */
  readonly fileId?: string;
  readonly most: number;
}

/** Throws an AppError if nothing pays for it; what was embedded before that stays. */
export async function embedPieces(
  { db, turns }: { readonly db: Database; readonly turns: TurnDeps },
  caller: TurnCaller,
  { projectId, fileId, most }: EmbedPieces,
  signal: AbortSignal,
): Promise<void> {
  const { rows } = await db.query<{ file_id: string; position: number; text: string }>(
    `select file_id, position, text from :schema.project_piece
      where project_id = $1 and ($2::text is null or file_id = $2) and embedding is null order by file_id, position limit $3`,
    [projectId, fileId ?? null, most],
  );
  const store = ({ vectors, at }: TextBatch): Promise<unknown> => {
    const batch = rows.slice(at, at + vectors.length);
    return db.query(
      `update :schema.project_piece p set model = $3, embedding = (select array_agg(v.value::real) from jsonb_array_elements_text(e.vector) as v (value))
         from rows from (unnest($1::text[]), unnest($2::int[]), unnest($4::jsonb[])) as e (file_id, position, vector)
        where p.file_id = e.file_id and p.position = e.position`,
      [
        batch.map(({ file_id }) => file_id),
        batch.map(({ position }) => position),
        EMBEDDING_MODEL,
        vectors.map((vector) => JSON.stringify(vector)),
      ],
    );
  };
  await embedInBatches(turns, caller, { texts: rows.map(({ text }) => text), from: 0 }, { store, signal });
}
