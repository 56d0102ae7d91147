/** Where one reads on: after a change of page, and when what had the focus is gone. */
function focusHeading(): void {
  document.querySelector<HTMLElement>('h1[tabindex="-1"]')?.focus({ preventScroll: true });
}

/** What has the focus and will still be there later: an item of a menu goes with the menu, the button that opens it stays. */
export function findFocused(): Element | null {
  const focused = document.activeElement;
  const opener = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  return (opener ? document.getElementById(opener) : null) ?? focused;
}

/** Gives the focus back unless somebody has taken it. What is gone by now, or goes while it has the focus, leaves it to the heading. */
export function returnFocus(to: Element | null): void {
  if (document.activeElement !== document.body) return;
  if (to instanceof HTMLElement) to.focus({ preventScroll: true });
  if (document.activeElement !== to || to === document.body) return focusHeading();
  const watch = new MutationObserver(() => {
    if (document.activeElement === to) return;
    watch.disconnect();
    if (document.activeElement === document.body) focusHeading();
  });
  watch.observe(document.body, { childList: true, subtree: true });
}
