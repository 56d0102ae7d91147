const PIECE = 64 * 1024;

/**
 * The JSON of a value, piece by piece: a large one is never made as a whole, which would keep the process from everything
 * else. Accepts what JSON.parse returns, and undefined for a field that is left out.
 */
export function* jsonPieces(value: unknown): Generator<string> {
  let piece = '';
  for (const token of tokensOf(value)) {
    piece += token;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

function* tokensOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield* stringTokens(value);
  else if (Array.isArray(value)) {
    let before = '[';
    for (const item of value as readonly unknown[]) {
      yield before;
      yield* tokensOf(item ?? null);
      before = ',';
    }
    yield before === '[' ? '[]' : ']';
  } else if (typeof value === 'object' && value !== null) {
    let before = '{';
    for (const [name, field] of Object.entries(value)) {
      if (field === undefined) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* tokensOf(field);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  } else yield JSON.stringify(value);
}

/** Half of a surrogate pair is written as an escape, so a text may be cut anywhere. */
function* stringTokens(text: string): Generator<string> {
  if (text.length <= PIECE) return yield JSON.stringify(text);
  yield '"';
  for (let at = 0; at < text.length; at += PIECE) yield JSON.stringify(text.slice(at, at + PIECE)).slice(1, -1);
  yield '"';
}
