import { type MouseEvent, type ReactElement, Fragment } from 'react';
import { markdownStrings as strings } from './strings.ts';
import type { MarkdownNode } from './parse-markdown.ts';
import type { Around } from './around.ts';
import { focusOn, noteId } from './footnote-reference.tsx';
import { ShowNodes } from './show-nodes.tsx';

/** All footnotes that are mentioned, in the order of their numbers. */
export function Footnotes({
  notes,
  around,
}: {
  notes: ReadonlyMap<string, readonly MarkdownNode[]>;
  around: Around;
}): ReactElement | null {
  if (!around.notes.some((label) => notes.has(label))) return null;
  return (
    <section className="footnotes" aria-label={strings.footnotes}>
      <ol>
        {around.notes.map((label, position) => {
          const nodes = notes.get(label);
          if (nodes === undefined) return <Fragment key={label} />;
          return (
            <li key={label} id={noteId(around, position + 1)} value={position + 1} dir="auto" tabIndex={-1}>
              <ShowNodes nodes={nodes} around={around} leads />
              <a
                href={`#${noteId(around, position + 1)}`}
                className="note-back"
                aria-label={strings.backToText(position + 1)}
                onClick={(event) => focusOn(event, markOf(event, position + 1))}
              >
                ↩
              </a>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

const markOf = ({ currentTarget }: MouseEvent, number: number): HTMLElement | null | undefined =>
  currentTarget.closest('.markdown')?.querySelector<HTMLElement>(`[data-note="${number}"]`);
