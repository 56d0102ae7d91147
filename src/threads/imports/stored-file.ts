import { IMPORT_LIMITS } from '../../contract/imports/import-words.ts';
import type { Queryable } from '../../store/database.ts';
import type { StoredBytes } from './open-export.ts';

/** The uploaded file, read from its pieces. */
export function storedFile(db: Queryable, importId: string, size: number): StoredBytes {
  const readPiece = async (position: number, from: number, length: number): Promise<Buffer> => {
    const { rows } = await db.query<{ content: Buffer }>(
      'select substring(content from $3 for $4) as content from :schema.chat_import_piece where import_id = $1 and position = $2',
      [importId, position, from + 1, length],
    );
    return rows[0]?.content ?? Buffer.alloc(0);
  };
  return {
    size,
    async read(at, length) {
      const end = Math.min(size, at + length);
      const pieces: Buffer[] = [];
      for (let next = at; next < end;) {
        const position = Math.floor(next / IMPORT_LIMITS.partBytes);
        const from = next - position * IMPORT_LIMITS.partBytes;
        const piece = await readPiece(position, from, Math.min(end - next, IMPORT_LIMITS.partBytes - from));
        if (piece.length === 0) break;
        pieces.push(piece);
        next += piece.length;
      }
      return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
    },
  };
}
