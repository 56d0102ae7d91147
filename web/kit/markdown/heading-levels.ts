/**
 * Maps the six heading levels of a text to heading levels of the page, as six digits: used levels become consecutive,
 * below the heading above the text. A string, so that equal results are identical.
 */
export function headingLevels(sources: readonly string[], below: number): string {
  const used = new Set(sources.flatMap((source) => /^ {0,3}(#{1,6})(?:\s|$)/.exec(source)?.[1]?.length ?? []));
  return [1, 2, 3, 4, 5, 6]
    .map((level) => Math.min(6, below + 1 + [...used].filter((other) => other < level).length))
    .join('');
}
