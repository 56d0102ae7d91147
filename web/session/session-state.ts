// Whether the session ended under a page that is already open. The page stays as it is, with everything typed into
// it, and a dialog over it asks for the password again.
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
