// One element per kind of node. Links leave the app with `rel`; an image is a link, because an address that a model
// wrote could carry what it read to a foreign server as soon as the page loads it.
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
}

export function ShowNodes({ nodes, around, live = false, inLink = false }: ShowNodesProps): ReactElement {
  return (
    <>
      {nodes.map((node, position) => (
        // oxlint-disable-next-line react/no-array-index-key -- nodes are only ever added at the end
        <ShowNode key={position} node={node} around={around} live={live} inLink={inLink} />
      ))}
    </>
  );
}

type ShowNodeProps = Omit<ShowNodesProps, 'nodes'> & { node: MarkdownNode };

/** Elements without anything of their own. */
const PLAIN: Readonly<Record<string, 'blockquote' | 'ul' | 'thead' | 'tbody' | 'tr' | 'strong' | 'em' | 'del'>> = {
  blockquote: 'blockquote',
  bullet_list: 'ul',
  thead: 'thead',
  tbody: 'tbody',
  tr: 'tr',
  strong: 'strong',
  em: 'em',
  s: 'del',
};

function ShowNode(props: ShowNodeProps): ReactNode {
  const { node, around } = props;
  const { type, token } = node;
  const children = node.children.length === 0 ? null : <ShowNodes {...props} nodes={node.children} />;
  const Plain = PLAIN[type];
  if (Plain !== undefined) return <Plain>{children}</Plain>;
  switch (type) {
    case 'text':
      return token.content;
    case 'paragraph':
      return token.hidden ? children : <p>{children}</p>;
    case 'heading': {
      const level = Number(token.tag.slice(1));
      const Heading = `h${around.levels[level - 1] ?? '6'}` as 'h3';
      return <Heading data-level={level}>{children}</Heading>;
    }
    case 'ordered_list':
      return <ol start={Number(token.attrGet('start') ?? 1)}>{children}</ol>;
    case 'list_item':
      return <ListItem checked={token.meta?.['checked']}>{children}</ListItem>;
    case 'table':
      return (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a wide table is scrolled with the keyboard too
        <div className="markdown-table" tabIndex={0}>
          <table>{children}</table>
        </div>
      );
    case 'th':
      return (
        <th scope="col" data-align={alignOf(node)}>
          {children}
        </th>
      );
    case 'td':
      return <td data-align={alignOf(node)}>{children}</td>;
    case 'link':
      return (
        <Link node={node} around={around}>
          <ShowNodes {...props} nodes={node.children} inLink />
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
      return <code>{token.content}</code>;
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

function ListItem({ checked, children }: { checked: unknown; children: ReactNode }): ReactElement {
  if (typeof checked !== 'boolean') return <li>{children}</li>;
  return (
    <li className="task">
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

const alignOf = ({ token }: MarkdownNode): string | undefined =>
  /text-align:(\w+)/.exec(String(token.attrGet('style') ?? ''))?.[1];
