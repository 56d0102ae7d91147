import { useSyncExternalStore } from 'react';

/** Undefined until it is loaded. */
type Loaded<T> = T | 'failed' | undefined;

/** A hook for a part of the app that is loaded when it is first needed. What could not be loaded is tried again later. */
export function createLoader<T extends object>(load: () => Promise<T>): (isNeeded?: boolean) => Loaded<T> {
  let value: Loaded<T>;
  let isLoading = false;
  const listeners = new Set<() => void>();
  const set = (next: Loaded<T>): void => {
    value = next;
    isLoading = false;
    for (const listener of listeners) listener();
  };
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    if (!isLoading && typeof value !== 'object') {
      isLoading = true;
      load().then(set, () => set('failed'));
    }
    return () => listeners.delete(listener);
  };
  const ignore = (): (() => void) => () => undefined;
  const get = (): Loaded<T> => value;
  return (isNeeded = true) => useSyncExternalStore(isNeeded ? subscribe : ignore, get, get);
}
