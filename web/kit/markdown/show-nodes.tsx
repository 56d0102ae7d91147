// One element per kind of node. Links leave the app with `rel`; an image is a link, because an address that a model
// wrote could carry what it read to a foreign server as soon as the page loads it. Every block of text has its own
// direction, that of its first letter; code and formulas run left to right and say nothing about the text around them.
import type { ReactElement, ReactNode } from 'react';
import { CodeBlock } from './code-block.tsx';
import { Diagram } from './diagram.tsx';
import type { Around } from './around.ts';
import { FootnoteReference } from './footnote-reference.tsx';
import { Formula } from './formula.tsx';
import { isOpenFence, languageOf, type MarkdownNode } from './parse-markdown.ts';
import { markdownStrings as strings } from './strings.ts';
import { toText } from './to-text.ts';

interface ShowNodesProps {
  nodes: readonly MarkdownNode[];
  around: Around;
  live?: boolean;
  inLink?: boolean;
  /**
   * The first block decides the direction of the element around it. It has none of its own: browsers skip elements that
   * have one when they look for the first letter.
   */
  leads?: boolean;
}

export function ShowNodes({
  nodes,
  around,
  live = false,
  inLink = false,
  leads = false,
}: ShowNodesProps): ReactElement {
  return (
    <>
      {nodes.map((node, position) => (
        // oxlint-disable-next-line react/no-array-index-key -- nodes are only ever added at the end
        <ShowNode
          key={position}
          node={node}
          around={around}
          live={live}
          inLink={inLink}
          leads={leads && position === 0}
        />
      ))}
    </>
  );
}

type ShowNodeProps = Omit<ShowNodesProps, 'nodes'> & { node: MarkdownNode };

/** Elements without anything of their own. */
const PLAIN: Readonly<Record<string, 'ul' | 'thead' | 'tbody' | 'tr' | 'strong' | 'em' | 'del'>> = {
  bullet_list: 'ul',
  thead: 'thead',
  tbody: 'tbody',
  tr: 'tr',
  strong: 'strong',
  em: 'em',
  s: 'del',
};

function ShowNode(props: ShowNodeProps): ReactNode {
  const { node, around, leads = false } = props;
  const { type, token } = node;
  const dir = leads ? undefined : 'auto';
  const within = (first: boolean): ReactNode =>
    node.children.length === 0 ? null : <ShowNodes {...props} nodes={node.children} leads={first} />;
  const Plain = PLAIN[type];
  if (Plain !== undefined) return <Plain>{within(leads)}</Plain>;
  switch (type) {
    case 'text':
      return token.content;
    case 'paragraph':
      return token.hidden ? within(leads) : <p dir={dir}>{within(false)}</p>;
    case 'heading': {
      const level = Number(token.tag.slice(1));
      const Heading = `h${around.levels[level - 1] ?? '6'}` as 'h3';
      return (
        <Heading dir={dir} data-level={level}>
          {within(false)}
        </Heading>
      );
    }
    case 'blockquote':
      return <blockquote dir={dir}>{within(true)}</blockquote>;
    case 'ordered_list':
      return <ol start={Number(token.attrGet('start') ?? 1)}>{within(leads)}</ol>;
    case 'list_item':
      return (
        <ListItem dir={dir} checked={token.meta?.['checked']}>
          {within(true)}
        </ListItem>
      );
    case 'table':
      return (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a wide table is scrolled with the keyboard too
        <div className="markdown-table" dir={dir} tabIndex={0}>
          <table>{within(true)}</table>
        </div>
      );
    case 'th':
      return (
        <th scope="col" dir={cellDirection(node, leads)} data-align={alignOf(node)}>
          {within(false)}
        </th>
      );
    case 'td':
      return (
        <td dir={cellDirection(node, leads)} data-align={alignOf(node)}>
          {within(false)}
        </td>
      );
    case 'link':
      return (
        <Link node={node} around={around}>
          <ShowNodes {...props} nodes={node.children} leads={false} inLink />
        </Link>
      );
    default:
      return showLeaf(props);
  }
}

/** Nodes without children. What is not known is left out: definitions, footnotes. */
function showLeaf({ node, around, live = false, inLink = false }: ShowNodeProps): ReactNode {
  const { type, token } = node;
  switch (type) {
    case 'softbreak':
      return '\n';
    case 'hardbreak':
      return <br />;
    case 'hr':
      return <hr />;
    case 'code_inline':
      return <code dir="ltr">{token.content}</code>;
    case 'code_block':
      return <CodeBlock language="" text={token.content.replace(/\n$/, '')} open={false} />;
    case 'fence':
      return <Fence node={node} open={live && isOpenFence(node)} />;
    case 'formula':
      return <Formula value={token.content} source={token.markup} display={token.meta?.['display'] === true} />;
    case 'formula_block':
      return <Formula value={token.content} source={token.markup} display open={token.meta?.['isOpen'] === true} />;
    case 'footnote_reference':
      return <FootnoteReference label={token.content} around={around} />;
    case 'image':
      return inLink ? toText(node.children) : <Image node={node} around={around} />;
    default:
      return null;
  }
}

function Fence({ node, open }: { node: MarkdownNode; open: boolean }): ReactElement {
  const language = languageOf(node);
  const text = node.token.content.replace(/\n$/, '');
  if (language === 'mermaid' && !open && text.trim() !== '') return <Diagram source={text} />;
  if (language === 'math' && text.trim() !== '') return <Formula value={text} source={text} display open={open} />;
  return <CodeBlock language={language} text={text} open={open} />;
}

interface ListItemProps {
  dir: 'auto' | undefined;
  checked: unknown;
  children: ReactNode;
}

function ListItem({ dir, checked, children }: ListItemProps): ReactElement {
  if (typeof checked !== 'boolean') return <li dir={dir}>{children}</li>;
  return (
    <li dir={dir} className="task">
      <input
        type="checkbox"
        checked={checked}
        disabled
        readOnly
        aria-label={checked ? strings.done : strings.notDone}
      />{' '}
      {children}
    </li>
  );
}

function Link({ node: { token }, around, children }: { node: MarkdownNode; around: Around; children: ReactNode }) {
  const href = around.hrefOf(String(token.attrGet('href') ?? ''));
  if (href === undefined) return children;
  const title = token.attrGet('title');
  return (
    <a
      href={href}
      title={title === null ? undefined : String(title)}
      target="_blank"
      rel="noopener noreferrer nofollow"
    >
      {children}
    </a>
  );
}

function Image({ node, around }: { node: MarkdownNode; around: Around }): ReactNode {
  const { token, children } = node;
  const source = String(token.attrGet('src') ?? '');
  const href = around.hrefOf(source);
  const text = toText(children);
  if (href === undefined) return text;
  const title = token.attrGet('title');
  return (
    <a
      href={href}
      title={title === null ? undefined : String(title)}
      target="_blank"
      rel="noopener noreferrer nofollow"
    >
      {text === '' ? href : text}
    </a>
  );
}

/** A cell without a letter, such as a number, stands as the table does; the first cell decides for the table. */
const cellDirection = (node: MarkdownNode, leads: boolean): 'auto' | undefined =>
  leads || !/\p{L}/u.test(toText(node.children)) ? undefined : 'auto';

const alignOf = ({ token }: MarkdownNode): string | undefined =>
  /text-align:(\w+)/.exec(String(token.attrGet('style') ?? ''))?.[1];
