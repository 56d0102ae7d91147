// A hashed bag of words: every word, and with less weight every trigram, adds to one dimension of the vector. Texts that
// share words are close to each other; meaning plays no part.

const PART_WEIGHT = 0.3;

export function embedText(text: string, dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  const add = (feature: string, weight: number): void => {
    const hash = digest(feature);
    const place = hash % dimensions;
    vector[place] = (vector[place] ?? 0) + (hash & 0x8000_0000 ? -weight : weight);
  };
  for (const [word, times] of countWords(text)) {
    const weight = 1 + Math.log(times);
    add(word, weight);
    for (let at = 0; at + 3 <= word.length + 2; at++)
      add(`part ${`<${word}>`.slice(at, at + 3)}`, weight * PART_WEIGHT);
  }
  // A text without words, or whose words cancel out, still gets a direction.
  if (vector.every((value) => value === 0)) add(`whole ${text}`, 1);
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** FNV-1a with a final mix, so that high bits are distributed as evenly as low ones. */
function digest(text: string): number {
  let hash = 0x811c_9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
