// The labels of diagrams, in the form that Mermaid reads them (see `lean-diagrams-plugin.ts`).
import { toText } from './to-text.ts';
import { type MarkdownNode, parseMarkdown } from './parse-markdown.ts';

interface LabelToken {
  readonly type: string;
  readonly raw: string;
  readonly text: string;
  readonly tokens?: readonly LabelToken[];
}

export const marked = { lexer };

/** Only paragraphs have marks; a line that looks like anything else is a label that begins like that. */
function lexer(source: string): LabelToken[] {
  return parseMarkdown(source, { notes: new Set(), isLive: false }).map((node) => {
    if (node.type === 'paragraph') return { type: 'paragraph', raw: source, text: source, tokens: tokensOf(node) };
    const [from, to] = node.token.map ?? [0, undefined];
    const raw = source.split('\n').slice(from, to).join('\n');
    return { type: 'text', raw, text: raw };
  });
}

function tokensOf({ children }: MarkdownNode): LabelToken[] {
  return children.map((node) => {
    const { type, token } = node;
    if (type === 'strong' || type === 'em') return { type, raw: '', text: '', tokens: tokensOf(node) };
    const isBreak = type === 'softbreak' || type === 'hardbreak';
    const text = isBreak ? '\n' : token.content || toText([node]);
    return { type: 'text', raw: text, text };
  });
}
