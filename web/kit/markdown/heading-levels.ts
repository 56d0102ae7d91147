/**
 * Maps the six heading levels of a text to heading levels of the page, as six digits: used levels become consecutive,
 * below the heading above the text. A string, so that equal results are identical.
 */
export function headingLevels(used: Iterable<number>, below: number): string {
  const levels = new Set(used);
  return [1, 2, 3, 4, 5, 6]
    .map((level) => Math.min(6, below + 1 + [...levels].filter((other) => other < level).length))
    .join('');
}
