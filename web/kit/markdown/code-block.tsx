import { memo, type ReactElement, type ReactNode, useRef } from 'react';
import { CopyAction } from '../copy-field.tsx';
import { common } from '../strings.ts';
import type { Coloured } from './highlighter.ts';
import { useHighlighted } from './use-highlighted.ts';

interface CodeBlockProps {
  language: string;
  text: string;
  /** Still being written. */
  open: boolean;
  action?: ReactNode;
}

export function CodeBlock({ language, text, open, action }: CodeBlockProps): ReactElement {
  const shown = useRef<HTMLPreElement>(null);
  const coloured = useHighlighted(text, language, open);
  return (
    <div className="code-block" dir="ltr">
      <div className="code-head">
        <span>{language === '' ? common.code : language}</span>
        <div className="code-actions">
          {action}
          <CopyAction value={text} size="compact-xs" source={shown} />
        </div>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long lines are scrolled with the keyboard too */}
      <pre ref={shown} tabIndex={0}>
        <code>
          {coloured === undefined ? text : <ShowColoured nodes={coloured.nodes} />}
          {coloured === undefined ? '' : text.slice(coloured.text.length)}
        </code>
      </pre>
    </div>
  );
}

/** Not drawn again while only plain text is added after it. */
const ShowColoured = memo(function ShowColoured({ nodes }: { nodes: readonly Coloured[] }): ReactNode {
  return showColoured(nodes);
});

function showColoured(nodes: readonly Coloured[]): ReactNode {
  return nodes.map((node, position) =>
    typeof node === 'string' ? (
      node
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- pieces of code have no other name
      <span key={position} className={node.className}>
        {showColoured(node.children)}
      </span>
    ),
  );
}
