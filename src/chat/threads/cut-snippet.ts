// The part of a message around the words that were searched for, in pieces. A piece is text, never markup: what a message
// contains is shown as it was written.
import type { SnippetPart } from '../../contract/threads.ts';

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Characters before the first match, and in all. */
const BEFORE = 60;
const LENGTH = 240;
/** Enough for the candidates of a page of long messages. */
const MOST_WORDS = 2_000;

/** Words of the texts that begin like one of those searched for; stemming never changes how a word begins. */
export function wordsLike(search: string, texts: readonly string[]): string[] {
  const beginnings = new Set((search.match(WORD) ?? []).map(beginning));
  const found = new Set<string>();
  for (const text of texts)
    for (const [word] of text.matchAll(WORD)) {
      if (found.size === MOST_WORDS) return [...found];
      if (beginnings.has(beginning(word))) found.add(word);
    }
  return [...found];
}

/** Without accents: German stems lose their umlauts. */
function beginning(word: string): string {
  return word.normalize('NFD').slice(0, 1).toLowerCase();
}

/** Begins shortly before the first marked word, or at the beginning of a text that has none. */
export function cutSnippet(text: string, marked: ReadonlySet<string>): SnippetPart[] {
  const matches = [...text.matchAll(WORD)].filter(([word]) => marked.has(word));
  const start = startOf(text, matches[0]?.index ?? 0);
  const end = endOf(text, start + LENGTH);
  const parts: SnippetPart[] = [];
  let at = start;
  const add = (until: number, match?: true): void => {
    const piece = text.slice(at, until).replaceAll(/\s+/g, ' ');
    if (piece !== '') parts.push({ text: piece, ...(match ? { match } : {}) });
    at = until;
  };
  for (const { index, 0: word } of matches) {
    if (index + word.length > end) break;
    add(index);
    add(index + word.length, true);
  }
  add(end);
  return [...(start > 0 ? [{ text: '…' }] : []), ...parts, ...(end < text.length ? [{ text: '…' }] : [])];
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
