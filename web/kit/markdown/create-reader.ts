// Reads a text that grows. Blocks that can no longer change keep their identity and are not parsed again, except those
// that mention a link reference or a footnote whose definition has come since.
import { type MarkdownEnv, type MarkdownNode, normalizeLabel, parseMarkdown, walk } from './parse-markdown.ts';
import { holdBack } from './hold-back.ts';

export interface Block {
  readonly source: string;
  readonly nodes: readonly MarkdownNode[];
  /** Levels of the headings in it. */
  readonly headings: readonly number[];
}

export interface Reading {
  readonly blocks: readonly Block[];
  /** Definitions of footnotes by label. */
  readonly notes: ReadonlyMap<string, readonly MarkdownNode[]>;
  /** Labels of the footnotes in the order of their first mention. */
  readonly noteOrder: readonly string[];
}

export interface MarkdownReader {
  read(text: string, isLive: boolean): Reading;
}

interface Known {
  readonly references: NonNullable<MarkdownEnv['references']>;
  readonly notes: ReadonlySet<string>;
}

const NOTHING: Known = { references: {}, notes: new Set() };
/** A longer text is shown without formatting. */
const LONGEST = 1_000_000;

export function createReader(): MarkdownReader {
  let before = { text: '', isLive: false };
  let settled: Block[] = [];
  let settledEnd = 0;
  /** Defined in settled blocks. */
  let known = NOTHING;
  /** Defined when the settled blocks were parsed. */
  let used = NOTHING;
  let last: Reading | undefined;

  function reset(): void {
    settled = [];
    settledEnd = 0;
    known = NOTHING;
    used = NOTHING;
  }

  return {
    read(given, isLive) {
      const text = given.includes('\r') ? given.replace(/\r\n?/g, '\n') : given;
      if (last !== undefined && before.text === text && before.isLive === isLive) return last;
      const ends = before.isLive && !isLive && text.startsWith(before.text);
      const drawn = ends ? settled : [];
      if (before.isLive !== isLive || !text.startsWith(before.text)) reset();
      before = { text, isLive };
      if (text.length > LONGEST) return (last = plainReading(text));
      const tail = text.slice(settledEnd);
      const env = { ...envOf(known, isLive), isEnd: isLive };
      const held = isLive ? holdBack(tail) : { text: tail, sure: tail.length };
      const parsed = splitBlocks(held.text, tail, env);
      const fresh = newLabels(used, env);
      if (fresh.length > 0) settled = settled.map((block) => (mentions(block, fresh) ? parseAgain(block, env) : block));
      used = { references: env.references ?? {}, notes: env.notes };
      const blocks = keepDrawn(drawn, [...settled, ...parsed.blocks]);
      const count = isLive ? countSettled(parsed, tail.slice(0, held.sure)) : 0;
      if (count > 0) {
        settled = blocks.slice(0, settled.length + count);
        settledEnd += parsed.starts[count] ?? 0;
        known = definedIn(settled, env);
      }
      return (last = readingOf(blocks));
    },
  };
}

/**
 * At its end a text is parsed as a whole, and what comes out the same keeps its identity, so that it is not drawn again.
 * Links, footnotes and what was never closed may read differently then.
 */
function keepDrawn(drawn: readonly Block[], blocks: readonly Block[]): Block[] {
  return blocks.map((block, at) => {
    const before = drawn[at];
    return before?.source === block.source && areSame(before.nodes, block.nodes) ? before : block;
  });
}

function areSame(some: readonly MarkdownNode[], others: readonly MarkdownNode[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ type, token, children }, at) => {
      const other = others[at];
      return (
        type === other?.type &&
        token.content === other.token.content &&
        String(token.attrs) === String(other.token.attrs) &&
        areSame(children, other.children)
      );
    })
  );
}

const envOf = ({ references, notes }: Known, isLive: boolean): MarkdownEnv => ({
  references: { ...references },
  notes: new Set(notes),
  isLive,
});

interface Split {
  readonly blocks: readonly Block[];
  /** Where each block starts. */
  readonly starts: readonly number[];
}

/** @param shown what is parsed: `source`, whose last lines may be held back */
function splitBlocks(shown: string, source: string, env: MarkdownEnv): Split {
  const nodes = parseMarkdown(shown, env);
  const lineStarts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) lineStarts.push(at + 1);
  const starts = nodes.map(({ token }) => lineStarts[token.map?.[0] ?? 0] ?? source.length);
  const blocks = nodes.map((node, at) => blockOf(source.slice(starts[at], starts[at + 1]), [node]));
  return { blocks, starts };
}

/**
 * A block is settled once another has begun after it, on a line that is whole and was not held back. A definition may
 * still take the line after it as its title.
 */
function countSettled({ blocks, starts }: Split, source: string): number {
  let count = starts.findLastIndex((start) => source.includes('\n', start));
  while (count > 0 && blocks[count - 1]?.nodes[0]?.type === 'reference_definition') count -= 1;
  return Math.max(count, 0);
}

function parseAgain({ source }: Block, { references = {}, notes, isLive }: MarkdownEnv): Block {
  return blockOf(source, parseMarkdown(source, envOf({ references, notes }, isLive)));
}

function blockOf(source: string, nodes: readonly MarkdownNode[]): Block {
  const headings = source.includes('#') || /^[ \t>]*(?:=+|-+)[ \t]*$/m.test(source) ? [...walk(nodes)] : [];
  return {
    source,
    nodes,
    headings: headings.flatMap(({ type, token }) => (type === 'heading' ? Number(token.tag.slice(1)) : [])),
  };
}

function newLabels(before: Known, { references = {}, notes }: MarkdownEnv): string[] {
  return [
    ...Object.keys(references).filter((label) => before.references[label]?.href !== references[label]?.href),
    ...[...notes].filter((label) => !before.notes.has(label)).map((label) => `^${label}`),
  ];
}

function mentions({ source }: Block, labels: readonly string[]): boolean {
  if (!source.includes('[')) return false;
  const text = normalizeLabel(source);
  return labels.some(
    (label) => text.includes(`[${label}]`) || text.includes(`[ ${label}`) || text.includes(`${label} ]`),
  );
}

function definedIn(blocks: readonly Block[], { references = {} }: MarkdownEnv): Known {
  const found: Known['references'] = {};
  const notes = new Set<string>();
  for (const { type, token } of walk(blocks.flatMap(({ nodes }) => nodes))) {
    const label = token.meta?.['label'];
    if (type === 'footnote') notes.add(token.content);
    else if (type === 'reference_definition' && typeof label === 'string' && references[label] !== undefined)
      found[label] = references[label];
  }
  return { references: found, notes };
}

function readingOf(blocks: readonly Block[]): Reading {
  const notes = new Map<string, readonly MarkdownNode[]>();
  const inText: string[] = [];
  const inNotes: string[] = [];
  const look = (nodes: readonly MarkdownNode[], labels: string[]): void => {
    for (const { type, token, children } of nodes) {
      if (type === 'footnote_reference') labels.push(token.content);
      if (type === 'footnote' && !notes.has(token.content)) notes.set(token.content, children);
      look(children, type === 'footnote' ? inNotes : labels);
    }
  };
  for (const { source, nodes } of blocks) if (source.includes('[^')) look(nodes, inText);
  return { blocks, notes, noteOrder: [...new Set([...inText, ...inNotes])] };
}

function plainReading(text: string): Reading {
  const [node] = parseMarkdown('a', envOf(NOTHING, false));
  if (node === undefined) return readingOf([]);
  const child = node.children[0];
  if (child !== undefined) child.token.content = text;
  return readingOf([blockOf('', [node])]);
}
