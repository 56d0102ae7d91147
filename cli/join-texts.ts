// Texts from the service may be sentences, codes or names; the punctuation around them depends on how they end.
const ENDED = /[.!?…]$/;

/** Joins two texts: after a sentence with a space, otherwise with a colon. */
export function joinTexts(first: string, second: string): string {
  const start = first.trim();
  return ENDED.test(start) ? `${start} ${second}` : `${start}: ${second}`;
}

/** Adds a full stop unless the text already ends a sentence. */
export function asSentence(text: string): string {
  return ENDED.test(text.trim()) ? text.trim() : `${text.trim()}.`;
}
