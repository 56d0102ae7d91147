import { useEffect, useEffectEvent } from 'react';

const OPEN = '[role="dialog"], [role="menu"], [role="listbox"]';

/** Escape, unless it closes something: a dialog, a menu, a list of suggestions, an edit. */
export function useEscape(active: boolean, onEscape: () => void): void {
  const run = useEffectEvent(onEscape);
  useEffect(() => {
    if (!active) return undefined;
    let closes = false;
    // What was open is known only before anyone has handled the key.
    const look = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') closes = [...document.querySelectorAll(OPEN)].some((each) => each.checkVisibility());
    };
    const handle = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !closes && !event.defaultPrevented && !event.isComposing) run();
    };
    window.addEventListener('keydown', look, { capture: true });
    window.addEventListener('keydown', handle);
    return () => {
      window.removeEventListener('keydown', look, { capture: true });
      window.removeEventListener('keydown', handle);
    };
  }, [active]);
}
