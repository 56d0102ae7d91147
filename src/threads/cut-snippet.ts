// The part of a message around the words that were searched for, in pieces. A piece is text, never markup: tags
// in a message are shown as they were written.
import type { SnippetPart } from '../contract/threads.ts';

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Characters before the first match, and in all. */
const BEFORE = 60;
const LENGTH = 240;
/** Enough for the candidates of a page of long messages. */
const MOST_WORDS = 2_000;

/** Words of the texts that begin like one of those searched for; stemming never changes how a word begins. */
export function wordsLike(search: string, texts: readonly string[]): string[] {
  const beginnings = new Set((search.match(WORD) ?? []).map(beginning));
  const fits = new Map<string, boolean>();
  const found = new Set<string>();
  for (const text of texts)
    for (const word of text.match(WORD) ?? []) {
      const first = firstCharacter(word);
      const isLike = fits.get(first) ?? beginnings.has(beginning(word));
      fits.set(first, isLike);
      if (isLike && found.add(word).size === MOST_WORDS) return [...found];
    }
  return [...found];
}

/** Without accents: German stems lose their umlauts. */
function beginning(word: string): string {
  return firstCharacter(word).normalize('NFD').slice(0, 1).toLowerCase();
}

function firstCharacter(word: string): string {
  return String.fromCodePoint(word.codePointAt(0) ?? 0);
}

/** Begins shortly before the first marked word, or at the beginning of a text that has none. */
export function cutSnippet(text: string, marked: ReadonlySet<string>): SnippetPart[] {
  const first = findMarked(text, marked);
  const start = startOf(text, first);
  const end = endOf(text, start + LENGTH);
  const parts: SnippetPart[] = [];
  let at = start;
  const add = (until: number, match?: true): void => {
    const piece = text.slice(at, until).replaceAll(/\s+/g, ' ');
    if (piece !== '') parts.push({ text: piece, ...(match ? { match } : {}) });
    at = until;
  };
  for (const { index, 0: word } of text.slice(first, end + 1).matchAll(WORD)) {
    if (first + index + word.length > end) break;
    if (!marked.has(word)) continue;
    add(first + index);
    add(first + index + word.length, true);
  }
  add(end);
  return [...(start > 0 ? [{ text: '…' }] : []), ...parts, ...(end < text.length ? [{ text: '…' }] : [])];
}

function findMarked(text: string, marked: ReadonlySet<string>): number {
  for (const { index, 0: word } of text.matchAll(WORD)) if (marked.has(word)) return index;
  return 0;
}

/** At the beginning of a word, if there is one nearby. */
function startOf(text: string, match: number): number {
  const from = match - BEFORE;
  if (from <= 0) return 0;
  const space = text.slice(from, match).search(/\s\S/);
  return space < 0 ? wholeCharacter(text, from) : from + space + 1;
}

function endOf(text: string, until: number): number {
  if (until >= text.length) return text.length;
  const space = text.slice(until - BEFORE, until).search(/\s\S*$/);
  return space < 0 ? wholeCharacter(text, until) : until - BEFORE + space;
}

/** Never between the two halves of a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}
