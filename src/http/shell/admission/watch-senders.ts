// Notices senders of bodies that have gone silent, or are slower than the least rate. One timer serves all, and a body
// that arrives with its head costs no more than a place in a set.
export interface BodySender {
  /** Bytes received so far. */
  received(): number;
  /** Called once, when it has been silent or too slow for too long. */
  late(): void;
}

export interface SenderWatch {
  /** Returns a function that stops it. */
  watch(sender: BodySender): () => void;
  /** While we keep the sender waiting ourselves; returns a function that ends that. */
  excuse(sender: BodySender): () => void;
}

interface Watched {
  /** When the last byte was noticed, and how many there were. */
  movedAt: number;
  bytes: number;
  /** The window in which the least rate is measured. */
  windowAt: number;
  windowBytes: number;
  excused: boolean;
}

const LOOKS = 10;

export function watchSenders({
  silentMs,
  leastBytes,
}: {
  readonly silentMs: number;
  /** In every period of `silentMs`. */
  readonly leastBytes: number;
}): SenderWatch {
  const watched = new Map<BodySender, Watched>();
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    const now = performance.now();
    for (const [sender, seen] of watched) {
      const bytes = sender.received();
      if (bytes !== seen.bytes || seen.excused) {
        seen.bytes = bytes;
        seen.movedAt = now;
      }
      const isWindowOver = now - seen.windowAt >= silentMs;
      const isTooSlow = isWindowOver && !seen.excused && bytes - seen.windowBytes < leastBytes;
      if (isWindowOver) {
        seen.windowAt = now;
        seen.windowBytes = bytes;
      }
      if (!isTooSlow && now - seen.movedAt < silentMs) continue;
      watched.delete(sender);
      sender.late();
    }
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    watch(sender) {
      const now = performance.now();
      const bytes = sender.received();
      watched.set(sender, { movedAt: now, bytes, windowAt: now, windowBytes: bytes, excused: false });
      timer ??= setInterval(look, silentMs / LOOKS).unref();
      return () => void watched.delete(sender);
    },
    excuse(sender) {
      const seen = watched.get(sender);
      if (seen) seen.excused = true;
      return () => void (seen && (seen.excused = false));
    },
  };
}
