// Names and other texts of people that stand in a sentence of ours. One that runs from right to left would otherwise pull
// the words and signs around it to its other side, also in places that have no markup, such as labels and titles.

/** Hebrew, Arabic and the scripts beside them. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\ud802-\ud803\ud83a-\ud83b]/;
const FIRST_STRONG_ISOLATE = '\u2068';
const POP_ISOLATE = '\u2069';

type Sentence = (...given: unknown[]) => unknown;

/** The same table; its sentences set apart each text from right to left that they are given. */
export function isolateNames(texts: unknown): unknown {
  if (typeof texts === 'function') return (...given: unknown[]) => (texts as Sentence)(...given.map(isolate));
  if (Array.isArray(texts)) return texts.map(isolateNames);
  if (typeof texts !== 'object' || texts === null || Object.getPrototypeOf(texts) !== Object.prototype) return texts;
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, isolateNames(text)]));
}

function isolate(given: unknown): unknown {
  return typeof given === 'string' ? isolateName(given) : given;
}

/** For a text that is put together without a table. */
export function isolateName(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `${FIRST_STRONG_ISOLATE}${text}${POP_ISOLATE}` : text;
}
