import { useEffect, useEffectEvent } from 'react';
import { isApple } from './is-apple.ts';
import type { KeyName } from './key-table.ts';
import { createKeyReader, writes } from './read-key.ts';

/** What a key belongs to while it is open: Escape closes it, and the page behind a dialog does not change. */
const OPEN = '[role="dialog"], [role="menu"], [role="listbox"]';
const FIELDS = 'input, textarea, select, [contenteditable]';

/** Rows without an action are left to the browser. Nothing that is being typed is taken for a key. */
export function useKeys(actions: Partial<Record<KeyName, (() => void) | undefined>>): void {
  const act = useEffectEvent((name: KeyName, event: KeyboardEvent) => {
    const action = actions[name];
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    const read = createKeyReader(isApple);
    let mayBeKey = false;
    // What was open is known only before anyone has handled the key.
    const look = (event: KeyboardEvent): void => {
      const isTyped = writes(event) && event.target instanceof Element && event.target.matches(FIELDS);
      mayBeKey = !isTyped && !event.repeat && !event.isComposing && !event.getModifierState('AltGraph');
      mayBeKey &&= ![...document.querySelectorAll(OPEN)].some((each) => each.checkVisibility());
    };
    const handle = (event: KeyboardEvent): void => {
      if (!mayBeKey || event.defaultPrevented) return;
      const name = read(event, performance.now());
      if (name !== undefined) act(name, event);
    };
    window.addEventListener('keydown', look, { capture: true });
    window.addEventListener('keydown', handle);
    return () => {
      window.removeEventListener('keydown', look, { capture: true });
      window.removeEventListener('keydown', handle);
    };
  }, []);
}
