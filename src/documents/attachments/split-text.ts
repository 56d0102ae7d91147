import { PIECE_CHARACTERS } from '../../contract/context/context-size.ts';

/** Each piece starts with the end of the previous one, so that text at a cut is whole in one of them. */
const OVERLAP_CHARACTERS = 200;

/**
 * Splits a text into pieces of about a third of a page, preferably at the end of a paragraph, line, sentence or word.
 */
export function splitText(text: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    const end =
      start + PIECE_CHARACTERS >= text.length ? text.length : cutBefore(text, start, start + PIECE_CHARACTERS);
    const piece = text.slice(start, end).toWellFormed().trim();
    if (piece !== '') pieces.push(piece);
    if (end === text.length) break;
    start = Math.max(end - OVERLAP_CHARACTERS, start + 1);
  }
  return pieces;
}

const ENDS = ['\n\n', '\n', '. ', ' '] as const;

/** The last good place to cut in the second half of the stretch. */
function cutBefore(text: string, start: number, limit: number): number {
  const earliest = start + PIECE_CHARACTERS / 2;
  for (const end of ENDS) {
    const at = text.lastIndexOf(end, limit - end.length);
    if (at >= earliest) return at + end.length;
  }
  return limit;
}
