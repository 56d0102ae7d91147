import type { MouseEvent, ReactElement } from 'react';
import type { Around } from './around.ts';
import { markdownStrings as strings } from './strings.ts';

/** The number of a footnote. The address of the page does not change: the app would take it for a page of its own. */
export function FootnoteReference({ label, around }: { label: string; around: Around }): ReactElement {
  const number = around.notes.indexOf(label) + 1;
  const id = noteId(around, number);
  return (
    <sup>
      <a
        href={`#${id}`}
        className="note-mark"
        data-note={number}
        aria-label={strings.footnote(number)}
        onClick={(event) => focusOn(event, document.getElementById(id))}
      >
        {number}
      </a>
    </sup>
  );
}

export const noteId = ({ id }: Around, number: number): string => `${id}note${number}`;

export function focusOn(event: MouseEvent, target: HTMLElement | null | undefined): void {
  event.preventDefault();
  target?.scrollIntoView({ block: 'nearest' });
  target?.focus({ preventScroll: true });
}
