// Markdown as plain text: what one reads, without the marks. Lists keep their numbers, tables their columns (by tab
// stops), links their address.
import type { MarkdownNode } from './parse-markdown.ts';
import { createReader } from './create-reader.ts';

/** A whole text, for the clipboard. */
export function markdownToText(text: string): string {
  const { blocks, notes, noteOrder } = createReader().read(text, false);
  const around: Around = { links: true, notes: noteOrder };
  const shown = [
    blocksToText(
      blocks.flatMap(({ nodes }) => nodes),
      around,
    ),
    ...noteOrder.flatMap((label, at) => {
      const nodes = notes.get(label);
      return nodes === undefined ? [] : `[${at + 1}] ${blocksToText(nodes, around)}`;
    }),
  ];
  return shown.filter((part) => part !== '').join('\n\n');
}

/** What nodes in a line say. */
export function toText(nodes: readonly MarkdownNode[]): string {
  return inlineToText(nodes, { links: false, notes: [] });
}

interface Around {
  readonly links: boolean;
  readonly notes: readonly string[];
}

const BLOCKS = new Set([
  'paragraph',
  'heading',
  'blockquote',
  'bullet_list',
  'ordered_list',
  'table',
  'hr',
  'fence',
  'code_block',
  'formula_block',
]);

function blocksToText(nodes: readonly MarkdownNode[], around: Around): string {
  return nodes
    .flatMap((node) => blockToText(node, around) ?? [])
    .join('\n\n')
    .trim();
}

function blockToText(node: MarkdownNode, around: Around): string | undefined {
  const { type, token, children } = node;
  switch (type) {
    case 'blockquote':
      return blocksToText(children, around).replace(/^/gm, '> ');
    case 'bullet_list':
      return children.map((item) => itemToText(item, '- ', around)).join('\n');
    case 'ordered_list': {
      const start = Number(token.attrGet('start') ?? 1);
      return children.map((item, at) => itemToText(item, `${start + at}. `, around)).join('\n');
    }
    case 'table':
      return children
        .flatMap((part) => part.children)
        .map((row) => row.children.map((cell) => inlineToText(cell.children, around).replaceAll('\n', ' ')).join('\t'))
        .join('\n');
    case 'fence':
    case 'code_block':
    case 'formula_block':
      return token.content.replace(/\n$/, '');
    case 'hr':
      return '---';
    default:
      return BLOCKS.has(type) ? inlineToText(children, around) : undefined;
  }
}

function itemToText({ token, children }: MarkdownNode, marker: string, around: Around): string {
  const checked = token.meta?.['checked'];
  const box = typeof checked === 'boolean' ? (checked ? '[x] ' : '[ ] ') : '';
  const parts = children.flatMap((node) => blockToText(node, around) ?? []);
  return `${marker}${box}${parts.join('\n').replaceAll('\n', `\n${' '.repeat(marker.length)}`)}`;
}

function inlineToText(nodes: readonly MarkdownNode[], around: Around): string {
  return nodes.map((node) => nodeToText(node, around)).join('');
}

function nodeToText({ type, token, children }: MarkdownNode, around: Around): string {
  switch (type) {
    case 'text':
    case 'code_inline':
    case 'formula':
      return token.content;
    case 'softbreak':
    case 'hardbreak':
      return '\n';
    case 'footnote_reference':
      return around.links ? `[${around.notes.indexOf(token.content) + 1}]` : '';
    case 'link': {
      const text = inlineToText(children, around);
      const href = String(token.attrGet('href') ?? '');
      return !around.links || href === text || href === `mailto:${text}` ? text : `${text} (${href})`;
    }
    default:
      return inlineToText(children, around);
  }
}
