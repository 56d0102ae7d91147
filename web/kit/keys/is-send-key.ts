import type { KeyboardEvent } from 'react';

/** Enter sends. With Shift, and on a touch keyboard, it starts a new line; during composition it belongs to the input method. */
export function isSendKey(event: KeyboardEvent): boolean {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return false;
  return event.metaKey || event.ctrlKey || !window.matchMedia('(pointer: coarse)').matches;
}
