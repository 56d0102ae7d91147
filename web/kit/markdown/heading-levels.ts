/**
 * Which heading of the page each of the six levels of a text becomes, as six digits: the levels that occur follow
 * each other without a gap, below the heading that the text stands under. Text, so that equal answers are the same.
 */
export function headingLevels(sources: readonly string[], below: number): string {
  const used = new Set(sources.flatMap((source) => /^ {0,3}(#{1,6})(?:\s|$)/.exec(source)?.[1]?.length ?? []));
  return [1, 2, 3, 4, 5, 6]
    .map((level) => Math.min(6, below + 1 + [...used].filter((other) => other < level).length))
    .join('');
}
