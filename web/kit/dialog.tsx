import type { ModalProps } from '@mantine/core';
import { type ReactElement, useEffect, useState } from 'react';
import { onDemand } from './on-demand.tsx';

const DialogFrame = onDemand(async () => (await import('./dialog-frame.tsx')).DialogFrame);

/** For a dialog that is mounted only while open. The library returns the focus only from dialogs that stay mounted. */
export function Dialog(props: Omit<ModalProps, 'opened' | 'returnFocus'>): ReactElement {
  const [opener] = useState(findFocused);
  useEffect(() => () => returnFocus(opener), [opener]);
  return <DialogFrame {...props} opened returnFocus={false} />;
}

/** Where the focus goes when its element is gone: an open dialog, otherwise the page's heading. */
function focusPlace(): void {
  const dialog = [...document.querySelectorAll<HTMLElement>('[role="dialog"][aria-modal="true"]')].at(-1);
  (dialog ?? document.querySelector<HTMLElement>('h1[tabindex="-1"]'))?.focus({ preventScroll: true });
}

/** The focused element, or the button of its menu, which outlives the item. */
function findFocused(): Element | null {
  const focused = document.activeElement;
  const opener = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  return (opener ? document.getElementById(opener) : null) ?? focused;
}

/** Returns the focus unless something else has it. If the element is gone, the fallback gets it. */
function returnFocus(to: Element | null): void {
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
