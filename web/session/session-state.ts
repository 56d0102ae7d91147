// Whether the session ended while a page is open. The page stays, with everything typed into it, and a dialog asks for
// the password.
import { useSyncExternalStore } from 'react';

let ended = false;
const listeners = new Set<() => void>();

export function setSessionEnded(value: boolean): void {
  if (ended === value) return;
  ended = value;
  for (const listener of listeners) listener();
}

export function useSessionEnded(): boolean {
  return useSyncExternalStore(subscribe, hasEnded, hasEnded);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function hasEnded(): boolean {
  return ended;
}
