/** Where one reads on when what had the focus is gone: a dialog that is still open, otherwise the page's heading. */
function focusPlace(): void {
  const dialog = [...document.querySelectorAll<HTMLElement>('[role="dialog"][aria-modal="true"]')].at(-1);
  (dialog ?? document.querySelector<HTMLElement>('h1[tabindex="-1"]'))?.focus({ preventScroll: true });
}

/** What has the focus and will still be there later: an item of a menu goes with the menu, the button that opens it stays. */
export function findFocused(): Element | null {
  const focused = document.activeElement;
  const opener = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  return (opener ? document.getElementById(opener) : null) ?? focused;
}

/** Gives the focus back unless somebody has taken it. What is gone by now, or goes while it has the focus, leaves it to its place. */
export function returnFocus(to: Element | null): void {
  if (document.activeElement !== document.body) return;
  if (to instanceof HTMLElement) to.focus({ preventScroll: true });
  if (document.activeElement !== to || to === document.body) return focusPlace();
  const watch = new MutationObserver(() => {
    if (document.activeElement === to) return;
    watch.disconnect();
    if (document.activeElement === document.body) focusPlace();
  });
  watch.observe(document.body, { childList: true, subtree: true });
}
