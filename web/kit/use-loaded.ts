import { useSyncExternalStore } from 'react';

/** Undefined until it is loaded. */
type Loaded<T> = T | 'failed' | undefined;

interface Loader<T> {
  (isNeeded?: boolean): Loaded<T>;
  /** Loads it before a page needs it. */
  load(): Promise<Loaded<T>>;
}

/** A hook for a part of the app that is loaded when it is first needed. What could not be loaded is tried again later. */
export function createLoader<T extends object>(load: () => Promise<T>): Loader<T> {
  let value: Loaded<T>;
  let loading: Promise<Loaded<T>> | undefined;
  const listeners = new Set<() => void>();
  const set = (next: Loaded<T>): Loaded<T> => {
    value = next;
    loading = undefined;
    for (const listener of listeners) listener();
    return next;
  };
  const start = async (): Promise<Loaded<T>> =>
    typeof value === 'object' ? value : (loading ??= load().then(set, () => set('failed')));
  const watch = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const need = (listener: () => void): (() => void) => {
    void start();
    return watch(listener);
  };
  const get = (): Loaded<T> => value;
  const useLoaded = (isNeeded = true): Loaded<T> => useSyncExternalStore(isNeeded ? need : watch, get, get);
  return Object.assign(useLoaded, { load: start });
}
