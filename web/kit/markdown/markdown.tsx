// Renders markdown to React elements, so that model output is never parsed as HTML. Unchanged blocks are not rendered
// again.
import './markdown.css';
import { memo, type ReactElement, useMemo } from 'react';
import { CodeBlock } from './code-block.tsx';
import { headingLevels } from './heading-levels.ts';
import { type Block, parseBlock } from './parse-blocks.ts';
import type { Inline } from './parse-inline.ts';
import { splitBlocks } from './split-blocks.ts';

/** Headings in the text start below the heading above it. */
export const Markdown = memo(function Markdown({ text, below }: { text: string; below: number }): ReactElement {
  const sources = useMemo(() => splitBlocks(text), [text]);
  const levels = headingLevels(sources, below);
  return (
    <div className="markdown">
      {sources.map((source, position) => (
        // Blocks are only appended.
        // oxlint-disable-next-line react/no-array-index-key -- the position is what a block is known by
        <SourceBlock key={position} source={source} levels={levels} />
      ))}
    </div>
  );
});

const SourceBlock = memo(function SourceBlock({ source, levels }: { source: string; levels: string }): ReactElement {
  return <ShowBlock block={parseBlock(source)} levels={levels} />;
});

function ShowBlock({ block, levels }: { block: Block; levels: string }): ReactElement {
  switch (block.type) {
    case 'heading': {
      const Heading = `h${levels[block.level - 1] ?? '6'}` as 'h3';
      return <Heading data-level={block.level}>{showInline(block.children)}</Heading>;
    }
    case 'paragraph':
      return <p>{showInline(block.children)}</p>;
    case 'code':
      return <CodeBlock language={block.language} text={block.text} />;
    case 'quote':
      return <blockquote>{showBlocks(block.blocks, levels)}</blockquote>;
    case 'list': {
      const items = block.items.map((item, position) => (
        // oxlint-disable-next-line react/no-array-index-key -- items are only ever added at the end
        <li key={position}>{showItem(item, levels)}</li>
      ));
      return block.ordered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>;
    }
    case 'table':
      return <ShowTable {...block} />;
    default:
      return <hr />;
  }
}

function showBlocks(blocks: readonly Block[], levels: string): ReactElement[] {
  // oxlint-disable-next-line react/no-array-index-key -- blocks are only ever added at the end
  return blocks.map((block, position) => <ShowBlock key={position} block={block} levels={levels} />);
}

/** An item with a single paragraph has no paragraph spacing. */
function showItem(blocks: readonly Block[], levels: string): ReactElement {
  const [first, ...rest] = blocks;
  if (first?.type !== 'paragraph') return <>{showBlocks(blocks, levels)}</>;
  return (
    <>
      {showInline(first.children)}
      {showBlocks(rest, levels)}
    </>
  );
}

function ShowTable({ aligns, head, rows }: Extract<Block, { type: 'table' }>): ReactElement {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a wide table is scrolled with the keyboard too
    <div className="markdown-table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((cell, column) => (
              // oxlint-disable-next-line react/no-array-index-key -- columns have no other name
              <th key={column} scope="col" style={{ textAlign: aligns[column] }}>
                {showInline(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, position) => (
            // oxlint-disable-next-line react/no-array-index-key -- rows are only ever added at the end
            <tr key={position}>
              {row.map((cell, column) => (
                // oxlint-disable-next-line react/no-array-index-key -- columns have no other name
                <td key={column} style={{ textAlign: aligns[column] }}>
                  {showInline(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function showInline(nodes: readonly Inline[]): ReactElement[] {
  // oxlint-disable-next-line react/no-array-index-key -- parts of a line have no other name
  return nodes.map((node, position) => <ShowInline key={position} node={node} />);
}

const ELEMENTS = { strong: 'strong', emphasis: 'em', strike: 's' } as const;

function ShowInline({ node }: { node: Inline }): ReactElement {
  switch (node.type) {
    case 'text':
      return <>{node.text}</>;
    case 'code':
      return <code>{node.text}</code>;
    case 'break':
      return <br />;
    case 'link':
      return (
        <a href={node.href} target="_blank" rel="noopener noreferrer nofollow">
          {showInline(node.children)}
        </a>
      );
    default: {
      const Element = ELEMENTS[node.type];
      return <Element>{showInline(node.children)}</Element>;
    }
  }
}
