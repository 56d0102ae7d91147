// Whether a GraphQL request only reads. A document may hold several operations, so the word of an operation that writes
// is refused wherever it stands, outside texts and comments: a field of that name is refused too, which is the safe side.

/** The request as it was understood here, so that nobody understands it otherwise; undefined for one that may write. */
export function readOnlyQuery(body: string): string | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return undefined;
  }
  // Several requests in one, or a stored one that is named by its hash, cannot be judged.
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
  const { query } = parsed as { query?: unknown };
  const reads = typeof query === 'string' && query.trim() !== '' && !/(?:^|[^\w$@])(?:mutation|subscription)\b/.test(withoutTexts(query));
  return reads ? JSON.stringify(parsed) : undefined;
}

/** Without what stands in quotes or behind a #. */
function withoutTexts(query: string): string {
  return query.replaceAll(/"""(?:\\"""|[^])*?"""|"(?:\\.|[^"\\\n])*"|#[^\n]*/g, ' ');
}
