// Finds any of a list of words and phrases in a text, in time that grows with the text and the list and not with their
// product: one pass of the Aho-Corasick automaton, from right to left over the words turned round, so that at every
// place it knows the longest word that begins there. A blank of a phrase stands for a run of blanks.
import { MOST_MATCHES, type Span } from './kind-row.ts';

export interface WordOptions {
  readonly caseSensitive?: boolean;
  /** Not where a letter, a digit or an underscore stands before or after. */
  readonly wholeWord?: boolean;
}

/** A longer run of blanks parts two words for good. */
const LONGEST_BLANK = 10;
const BLANK = ' ';
const GAP = '\n';
const ROOT = 0;

/** From left to right; where several begin at one place, the longest. */
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
  /** Characters, a run of blanks as one. */
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

/** One form for what differs in case alone, as a regular expression without regard to case compares: letter by letter. */
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
  /** Of the word that ends here; 0 when none does. */
  length: number;
  /** The node of the longest proper suffix that begins a word. */
  suffix: number;
  /** The nearest node among the suffixes, this one left out, where a word ends; the root when there is none. */
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
  // Breadth first: the suffixes of a node are shorter than it is, so theirs are known already.
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

/** The length of the longest word that begins at each symbol; 0 where none does. */
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
    // Only a word that a letter follows is passed over for a shorter one.
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
