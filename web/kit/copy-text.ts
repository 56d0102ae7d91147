// Also copies on plain http, where pages have no clipboard API: the text is put into a temporary field, selected and
// copied.

/** Returns whether it was copied. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // There is no clipboard without TLS (a TypeError), or access was denied.
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.setAttribute('aria-hidden', 'true');
  // Out of view, and without causing scrolling or zooming.
  field.style.cssText =
    'position:fixed;inset:0 auto auto 0;width:1px;height:1px;opacity:0;font-size:16px;pointer-events:none';
  // A dialog traps the focus.
  (focused?.closest('[role="dialog"]') ?? document.body).append(field);
  try {
    field.focus({ preventScroll: true });
    field.select();
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }
}

/** Selects the text for copying by hand. */
export function selectContents(element: Element): void {
  const range = document.createRange();
  range.selectNodeContents(element);
  const selection = window.getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
}
