// CommonMark with tables, strikethrough, bare links, footnotes, task lists and formulas, as a tree. Nothing here makes
// HTML, and HTML in a text stays text.
import createMarkdownIt, { type Env, type Token } from 'markdown-it';
import { answerRules } from './answer-rules.ts';
import { formulaRules } from './formula-rules.ts';

export interface MarkdownNode {
  /** The token's type; of a pair, without `_open`. */
  readonly type: string;
  readonly token: Token;
  readonly children: readonly MarkdownNode[];
}

export interface MarkdownEnv extends Env {
  /** Labels of the footnotes that have a definition. */
  notes: Set<string>;
  /** Whether the text is still growing: definitions may follow. */
  isLive: boolean;
  /** Whether the source ends where the growing text ends: what is open there is shown as it will look. */
  isEnd?: boolean;
}

const md = createMarkdownIt({ html: false, linkify: true, maxNesting: 60 }).use(formulaRules).use(answerRules);
// "notes.md" is a file, not a site of Moldova.
md.linkify.set({ fuzzyLink: false });
// The reader has to know where a definition stands.
md.disable('strip_references');

/** The top-level nodes. What the text defines is added to `env`. */
export function parseMarkdown(source: string, env: MarkdownEnv): MarkdownNode[] {
  return toTree(md.parse(source, env));
}

export const languageOf = ({ token }: MarkdownNode): string =>
  md.utils.unescapeAll(token.info).trim().split(/\s/)[0] ?? '';

export const normalizeLabel = (label: string): string => md.utils.normalizeReference(label);

function toTree(tokens: readonly Token[]): MarkdownNode[] {
  const root: MarkdownNode[] = [];
  const stack = [root];
  for (const token of tokens) {
    const siblings = stack.at(-1) ?? root;
    if (token.type === 'inline') siblings.push(...toTree(token.children ?? []));
    else if (token.nesting < 0) stack.pop();
    else {
      const children: MarkdownNode[] = [];
      const isImage = token.type === 'image';
      siblings.push({
        type: token.type.replace(/_open$/, ''),
        token,
        children: isImage ? toTree(token.children ?? []) : children,
      });
      if (token.nesting > 0) stack.push(children);
    }
  }
  return root;
}

/** All nodes below, in the order of the text. */
export function* walk(nodes: readonly MarkdownNode[]): Generator<MarkdownNode> {
  for (const node of nodes) {
    yield node;
    yield* walk(node.children);
  }
}

/** A fence that has no closing line. */
export function isOpenFence({ token }: Pick<MarkdownNode, 'token'>): boolean {
  if (token.type !== 'fence' || token.map === null) return false;
  return token.map[1] - token.map[0] < token.content.split('\n').length + 1;
}

/** Whether the last line stands in a fence, or closes it. Where a fence ends depends on the lists and quotes around it. */
export function endsInFence(source: string): boolean {
  if (!/`{3}|~{3}/.test(source)) return false;
  const tokens: Token[] = [];
  md.block.parse(source, md, { notes: new Set(), isLive: true } satisfies MarkdownEnv, tokens);
  const fence = tokens.findLast(({ type }) => type === 'fence');
  if (!fence?.map) return false;
  const [first, end] = fence.map;
  const last = source.split('\n').length - 1;
  // The parser does not count an empty last line.
  return first < last && (end > last || (end === last && source.endsWith('\n') && isOpenFence({ token: fence })));
}
