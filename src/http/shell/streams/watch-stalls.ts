/** A connection whose writes may be waiting for the client. */
export interface Writing {
  readonly writableNeedDrain: boolean;
  destroy(): unknown;
}

export interface StallWatch {
  /** Returns a function that stops it. */
  watch(connection: Writing): () => void;
}

/**
 * Closes connections whose client reads nothing: those found waiting at every check within `mostMs`, without a single
 * byte written in between. One timer serves all.
 */
export function watchStalls(mostMs: number): StallWatch {
  const waiting = new Map<Writing, { looks: number; written: number | undefined }>();
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    for (const [connection, seen] of waiting) {
      const written = bytesWritten(connection);
      seen.looks = connection.writableNeedDrain && written === seen.written ? seen.looks + 1 : 0;
      seen.written = written;
      if (seen.looks >= LOOKS) connection.destroy();
    }
  }

  return {
    watch(connection) {
      waiting.set(connection, { looks: 0, written: undefined });
      timer ??= setInterval(look, mostMs / LOOKS).unref();
      return () => {
        waiting.delete(connection);
        if (waiting.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}

const LOOKS = 6;

/** Of the socket itself, or of a response's socket. */
export function bytesWritten(connection: Writing): number | undefined {
  const { bytesWritten: own, socket } = connection as {
    bytesWritten?: number;
    socket?: { bytesWritten?: number } | null;
  };
  return own ?? socket?.bytesWritten;
}
