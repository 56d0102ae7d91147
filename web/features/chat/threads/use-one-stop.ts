// A list that is one stop of the Tab key: arrow keys, Home and End move inside it. Its rows are `li`, each with one
// element that is a stop; what else a row has is out of the order of tabs and reached from there.
import { type FocusEvent, type KeyboardEvent, useState } from 'react';
import { isApple } from '../../../kit/keys/is-apple.ts';
import type { KeyName } from '../../../kit/keys/key-table.ts';
import { createKeyReader } from '../../../kit/keys/read-key.ts';

interface OneStop {
  /** For the element around the rows. */
  readonly list: {
    onFocus: (event: FocusEvent<HTMLElement>) => void;
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  };
  /** For the element of a row that is its stop. */
  readonly stopOf: (row: string) => { tabIndex: 0 | -1; 'data-stop': string };
}

const STOP = '[data-stop]';
const read = createKeyReader(isApple);

/** The stop is the row that had the focus last, otherwise `current`, otherwise the first. */
export function useOneStop(rows: readonly string[], current?: string): OneStop {
  const [last, setLast] = useState<string>();
  const stop = [last, current, rows[0]].find((row) => row !== undefined && rows.includes(row));
  return {
    list: {
      onFocus: ({ target }) => setLast(stopIn(target)?.dataset['stop'] ?? last),
      onKeyDown: (event) => {
        const here = event.target instanceof HTMLElement ? stopIn(event.target) : undefined;
        const name = read(event.nativeEvent, event.timeStamp);
        if (here === undefined || name === undefined || isInMenu(event.target)) return;
        if (name === 'rowMenu') openMenu(here);
        else if (!moveFrom(here, name, event.currentTarget)) return;
        event.preventDefault();
      },
    },
    stopOf: (row) => ({ tabIndex: row === stop ? 0 : -1, 'data-stop': row }),
  };
}

const stopIn = (target: Element): HTMLElement | undefined =>
  target.closest('li')?.querySelector<HTMLElement>(STOP) ?? undefined;

const isInMenu = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('[role="menu"]') !== null;

function moveFrom(here: HTMLElement, name: KeyName, list: HTMLElement): boolean {
  const stops = [...list.querySelectorAll<HTMLElement>(STOP)];
  const at = stops.indexOf(here);
  const to: Partial<Record<KeyName, HTMLElement | undefined>> = {
    rowAbove: stops[at - 1],
    rowBelow: stops[at + 1],
    firstRow: stops[0],
    lastRow: stops.at(-1),
  };
  to[name]?.focus();
  return to[name] !== undefined;
}

function openMenu(stop: HTMLElement): void {
  const button = stop.closest('li')?.querySelector<HTMLElement>('[aria-haspopup="menu"]');
  button?.focus();
  button?.click();
}
