// Copying works on plain http too, where the browser hides its clipboard from pages: the text is put into a field of
// its own, selected, and copied as a person would.

/** Whether it is in the clipboard now. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // No clipboard on an address without TLS (a TypeError), or it was refused.
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.setAttribute('aria-hidden', 'true');
  // Where it cannot be seen, and nothing is scrolled or zoomed for it.
  field.style.cssText =
    'position:fixed;inset:0 auto auto 0;width:1px;height:1px;opacity:0;font-size:16px;pointer-events:none';
  // A dialog keeps the focus inside itself.
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

/** For whoever has to copy by hand. */
export function selectContents(element: Element): void {
  const range = document.createRange();
  range.selectNodeContents(element);
  const selection = window.getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
}
