// Merges concurrent reads of the same thing. At most one is under way per key; callers that arrive meanwhile share the next
// one, which begins after it: no caller gets a result that was read before its call.

export type JoinReads<T> = (key: string, read: () => Promise<T>) => Promise<T>;

interface Line<T> {
  /** Resolves when the read under way has ended, whether or not it failed. */
  readonly over: Promise<void>;
  next?: Promise<T>;
}

/** Reads with the same key must be interchangeable. Keys are kept only while a caller waits. */
export function joinReads<T>(): JoinReads<T> {
  const lines = new Map<string, Line<T>>();

  function begin(key: string, read: () => Promise<T>): Promise<T> {
    const result = (async () => read())();
    const line: Line<T> = { over: settled(result) };
    lines.set(key, line);
    void forget(key, line);
    return result;
  }

  async function forget(key: string, line: Line<T>): Promise<void> {
    await line.over;
    if (!line.next) lines.delete(key);
  }

  return (key, read) => {
    const line = lines.get(key);
    return line ? (line.next ??= line.over.then(() => begin(key, read))) : begin(key, read);
  };
}

async function settled(result: Promise<unknown>): Promise<void> {
  await Promise.allSettled([result]);
}
