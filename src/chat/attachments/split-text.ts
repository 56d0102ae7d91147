const PIECE_CHARACTERS = 1_600;
/** Each piece begins with the end of the one before, so that what is cut in two is found in one of them. */
const OVERLAP_CHARACTERS = 200;

/** Cuts a text into pieces of about a page's third, at the end of a paragraph, line, sentence or word where there is one. */
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

/** The last good place in the second half of the stretch. */
function cutBefore(text: string, start: number, limit: number): number {
  const earliest = start + PIECE_CHARACTERS / 2;
  for (const end of ENDS) {
    const at = text.lastIndexOf(end, limit - end.length);
    if (at >= earliest) return at + end.length;
  }
  return limit;
}
