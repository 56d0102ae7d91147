// Finds words and phrases of a list in a text, in time linear in the text plus the list: one pass of an Aho-Corasick
// automaton, right to left over the reversed words, so that at every position it knows the longest word that starts
// there. A blank in a phrase matches a run of blanks.
import { MOST_MATCHES, type Span } from './kind-row.ts';

export interface WordOptions {
  readonly caseSensitive?: boolean;
  /** No match directly before or after a letter, digit or underscore. */
  readonly wholeWord?: boolean;
}

/** A longer run of blanks always separates words. */
const LONGEST_BLANK = 10;
const BLANK = ' ';
const GAP = '\n';
const ROOT = 0;

/** Left to right; if several start at one position, the longest. */
export function findWords(
  text: string,
  words: readonly string[],
  { caseSensitive = false, wholeWord = true }: WordOptions = {},
): Span[] {
  const automaton = buildAutomaton(words.map((word) => readSymbols(word.trim(), caseSensitive).symbols));
  if (automaton.nodes.length === 1) return [];
  const { symbols, starts } = readSymbols(text, caseSensitive);
  const lengths = findLongest(automaton, symbols, wholeWord ? markWords(symbols, caseSensitive) : undefined);
  const spans: Span[] = [];
  for (let at = 0; at < symbols.length && spans.length < MOST_MATCHES;) {
    const length = lengths[at] ?? 0;
    if (length > 0) spans.push({ start: starts[at] ?? 0, end: starts[at + length] ?? text.length });
    at += Math.max(1, length);
  }
  return spans;
}

interface Symbols {
  /** Characters, with each run of blanks as one. */
  readonly symbols: string[];
  /** Where each begins in the text. */
  readonly starts: number[];
}

function readSymbols(text: string, caseSensitive: boolean): Symbols {
  const symbols: string[] = [];
  const starts: number[] = [];
  for (const { 0: run, 1: blank, index } of text.matchAll(/(\s+)|[^\s]/gu)) {
    starts.push(index);
    if (blank !== undefined) symbols.push(blank.length > LONGEST_BLANK ? GAP : BLANK);
    else symbols.push(caseSensitive ? run : fold(run));
  }
  return { symbols, starts };
}

const DOTLESS_I = '\u0131';

/** Case folding as in a case-insensitive regular expression: character by character. */
function fold(character: string): string {
  if (character === DOTLESS_I) return character;
  const upper = character.toUpperCase();
  const lower = (isOne(upper) ? upper : character).toLowerCase();
  return isOne(lower) ? lower : character;
}

function isOne(text: string): boolean {
  return text.length === 1 || (text.length === 2 && (text.codePointAt(0) ?? 0) > 0xffff);
}

function markWords(symbols: readonly string[], caseSensitive: boolean): boolean[] {
  const letter = new RegExp('[\\p{L}\\p{N}_]', caseSensitive ? 'u' : 'iu');
  return symbols.map((symbol) => letter.test(symbol));
}

interface Node {
  readonly next: Map<string, number>;
  /** Length of the word that ends here; 0 if none does. */
  length: number;
  /** The node of the longest proper suffix that is a prefix of a word. */
  suffix: number;
  /** The nearest proper suffix that is a whole word; the root if there is none. */
  shorter: number;
}

interface Automaton {
  readonly nodes: readonly Node[];
}

function buildAutomaton(words: readonly (readonly string[])[]): Automaton {
  const nodes: Node[] = [newNode()];
  for (const word of words) {
    let at = ROOT;
    for (const symbol of word.toReversed()) {
      const { next } = nodeAt(nodes, at);
      at = next.get(symbol) ?? nodes.push(newNode()) - 1;
      next.set(symbol, at);
    }
    nodeAt(nodes, at).length = word.length;
  }
  // Breadth first: the suffixes of a node are shorter, so they are already known.
  const order = [...nodeAt(nodes, ROOT).next.values()];
  for (const at of order) {
    const { next, suffix } = nodeAt(nodes, at);
    for (const [symbol, child] of next) {
      const node = nodeAt(nodes, child);
      node.suffix = step(nodes, suffix, symbol);
      node.shorter = nodeAt(nodes, node.suffix).length > 0 ? node.suffix : nodeAt(nodes, node.suffix).shorter;
      order.push(child);
    }
  }
  return { nodes };
}

function step(nodes: readonly Node[], from: number, symbol: string): number {
  for (let at = from; ; at = nodeAt(nodes, at).suffix) {
    const found = nodeAt(nodes, at).next.get(symbol);
    if (found !== undefined) return found;
    if (at === ROOT) return ROOT;
  }
}

/** The length of the longest word that starts at each symbol; 0 if none does. */
function findLongest(
  { nodes }: Automaton,
  symbols: readonly string[],
  isWord: readonly boolean[] | undefined,
): Uint32Array {
  const lengths = new Uint32Array(symbols.length);
  let state = ROOT;
  for (let at = symbols.length - 1; at >= 0; at--) {
    state = step(nodes, state, symbols[at] ?? '');
    if (isWord?.[at - 1]) continue;
    let found = nodeAt(nodes, state).length > 0 ? state : nodeAt(nodes, state).shorter;
    // A word followed by a letter gives way to a shorter one.
    if (isWord)
      while (found !== ROOT && isWord[at + nodeAt(nodes, found).length] === true) found = nodeAt(nodes, found).shorter;
    lengths[at] = nodeAt(nodes, found).length;
  }
  return lengths;
}

function newNode(): Node {
  return { next: new Map(), length: 0, suffix: ROOT, shorter: ROOT };
}

function nodeAt(nodes: readonly Node[], at: number): Node {
  const node = nodes[at];
  if (!node) throw new RangeError('the automaton has no such node');
  return node;
}
