// Values by key that components follow. With `persist` they survive a reload. Storage may be off, full or hold anything:
// a value then lasts as long as the page.
import { useSyncExternalStore } from 'react';

interface Persist<T> {
  /** Other tabs share what is local. */
  readonly area: 'session' | 'local';
  readonly prefix: string;
  /** Undefined stores nothing, as for an empty value. */
  readonly pack: (value: T) => string | undefined;
  readonly unpack: (stored: string) => T;
}

interface KeyedStoreOptions<T> {
  /** The value of a key that has none. */
  readonly empty: T;
  readonly isEmpty?: (value: T) => boolean;
  readonly persist?: Persist<T>;
  /** How many are kept; the one that was changed longest ago is dropped for another. */
  readonly most?: number;
}

interface KeyedStore<T> {
  readonly get: (key: string) => T;
  readonly set: (key: string, value: T) => void;
  readonly change: (key: string, change: (value: T) => T) => void;
  readonly use: (key: string) => T;
  readonly subscribe: (listener: () => void) => () => void;
  /** Of all that have a value in memory. */
  readonly keys: () => readonly string[];
  /** Stores a value that the page will have only after a reload. */
  readonly keep: (key: string, value: T) => void;
  /** Removes all that is stored. */
  readonly forget: () => void;
}

export function createKeyedStore<T>(options: KeyedStoreOptions<T>): KeyedStore<T> {
  const { empty, isEmpty = (value) => value === empty, persist, most = Number.POSITIVE_INFINITY } = options;
  const values = new Map<string, T>();
  /** Keys whose stored value has been read. */
  const read = new Set<string>();
  const listeners = new Set<() => void>();
  const notify = (): void => {
    for (const listener of listeners) listener();
  };

  function inStorage(act: (storage: Storage, from: Persist<T>) => void): void {
    try {
      if (persist !== undefined) act(persist.area === 'local' ? localStorage : sessionStorage, persist);
    } catch {
      // See above.
    }
  }

  const keep = (key: string, value: T): void =>
    inStorage((storage, { prefix, pack }) => {
      const stored = isEmpty(value) ? undefined : pack(value);
      if (stored === undefined) storage.removeItem(prefix + key);
      else storage.setItem(prefix + key, stored);
    });

  const get = (key: string): T => {
    if (!read.has(key)) {
      read.add(key);
      inStorage((storage, { prefix, unpack }) => {
        const stored = storage.getItem(prefix + key);
        if (stored !== null) values.set(key, unpack(stored));
      });
    }
    return values.get(key) ?? empty;
  };

  const set = (key: string, value: T): void => {
    read.add(key);
    values.delete(key);
    if (!isEmpty(value)) values.set(key, value);
    keep(key, value);
    const [oldest] = values.keys();
    if (values.size > most && oldest !== undefined) {
      values.delete(oldest);
      keep(oldest, empty);
    }
    notify();
  };

  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };

  if (persist?.area === 'local' && typeof window !== 'undefined')
    window.addEventListener('storage', ({ key }) => {
      if (!key?.startsWith(persist.prefix)) return;
      read.delete(key.slice(persist.prefix.length));
      values.delete(key.slice(persist.prefix.length));
      notify();
    });

  return {
    get,
    set,
    change: (key, change) => set(key, change(get(key))),
    use: (key) =>
      useSyncExternalStore(
        subscribe,
        () => get(key),
        () => get(key),
      ),
    subscribe,
    keys: () => [...values.keys()],
    keep,
    forget: () =>
      inStorage((storage, { prefix }) => {
        for (const key of Object.keys(storage)) if (key.startsWith(prefix)) storage.removeItem(key);
      }),
  };
}
