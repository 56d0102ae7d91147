import type { AnyRouter } from '@tanstack/react-router';

/** After a change of page the focus goes to its heading, as it would after a page load; a first load is left alone. */
export function moveFocusOnNavigation(router: AnyRouter): void {
  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (fromLocation === undefined || !pathChanged || document.querySelector('[role="dialog"]') !== null) return;
    document.querySelector<HTMLElement>('h1[tabindex="-1"]')?.focus({ preventScroll: true });
  });
}
