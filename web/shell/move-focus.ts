import type { AnyRouter } from '@tanstack/react-router';

declare module '@tanstack/history' {
  interface HistoryState {
    /** The page itself decides where the focus is. */
    keepFocus?: true;
  }
}

/** After a change of page the focus goes to its heading, as it would after a page load; a first load is left alone. */
export function moveFocusOnNavigation(router: AnyRouter): void {
  router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
    if (
      fromLocation === undefined ||
      !pathChanged ||
      toLocation.state.keepFocus ||
      document.querySelector('[role="dialog"]') !== null
    )
      return;
    document.querySelector<HTMLElement>('h1[tabindex="-1"]')?.focus({ preventScroll: true });
  });
}
