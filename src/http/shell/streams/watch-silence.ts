/** A connection whose writes may be waiting for the client. */
interface Writing {
  readonly writableNeedDrain: boolean;
}

export interface SilenceWatch {
  /** Calls back whenever nothing was written to the connection for so long. Returns a function that stops it. */
  watch(connection: Writing, onSilence: () => void): () => void;
}

/**
 * Finds connections to which nothing is written. The sockets themselves count what was written, so a stream pays nothing
 * for each chunk, and one timer serves all.
 */
export function watchSilence(afterMs: number): SilenceWatch {
  const watched = new Set<{ connection: Writing; onSilence: () => void; looks: number; written: number | undefined }>();
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    for (const one of watched) {
      const written = bytesWritten(one.connection);
      // The write was a moment before this look, so this one is the first of the next silence.
      one.looks = written === one.written ? one.looks + 1 : 1;
      one.written = written;
      // Unread data is a sign of life that is still on its way.
      if (one.looks <= LOOKS || one.connection.writableNeedDrain) continue;
      one.onSilence();
      one.looks = 1;
      one.written = bytesWritten(one.connection);
    }
  }

  return {
    watch(connection, onSilence) {
      const one = { connection, onSilence, looks: 0, written: bytesWritten(connection) };
      watched.add(one);
      timer ??= setInterval(look, afterMs / LOOKS).unref();
      return () => {
        watched.delete(one);
        if (watched.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}

const LOOKS = 15;

/** Of the socket itself, or of a response's socket. */
function bytesWritten(connection: Writing): number | undefined {
  const { bytesWritten: own, socket } = connection as {
    bytesWritten?: number;
    socket?: { bytesWritten?: number } | null;
  };
  return own ?? socket?.bytesWritten;
}
