import type { AnyRouter } from '@tanstack/react-router';

declare module '@tanstack/history' {
  interface HistoryState {
    /** The page manages the focus itself. */
    keepFocus?: true;
  }
}

/** Moves the focus to the heading after navigation, but not on the first load. */
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
