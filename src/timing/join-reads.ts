// Reads of the same thing that are asked for at once become few. At most one is under way for a key; whoever asks
// meanwhile shares the next one, which begins only then: nobody is answered with what was read before they asked.

export type JoinReads<T> = (key: string, read: () => Promise<T>) => Promise<T>;

interface Line<T> {
  /** Settles when the read that is under way is over, however it went. */
  readonly over: Promise<void>;
  next?: Promise<T>;
}

/** Two reads under one key must be alike. Keys are kept only while somebody waits. */
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
