// Texts of the service are sentences, codes or names: what is put around them depends on how they end.
const ENDED = /[.!?…]$/;

/** Two texts as one line: a sentence is followed by the next, anything else by a colon. */
export function joinTexts(first: string, second: string): string {
  const start = first.trim();
  return ENDED.test(start) ? `${start} ${second}` : `${start}: ${second}`;
}

/** A text that ends as a sentence does. */
export function asSentence(text: string): string {
  return ENDED.test(text.trim()) ? text.trim() : `${text.trim()}.`;
}
