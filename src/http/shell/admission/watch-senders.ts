// Notices senders of bodies that have gone silent, or are slower than the least rate. One timer serves all. Most bodies
// arrive with their head and are gone before the first look: they cost no more than a place in a set.
export interface BodySender {
  /** Bytes received so far. */
  received(): number;
  /** Called once, when it has been silent or too slow for too long. */
  late(): void;
  /** While we keep the sender waiting ourselves. */
  excused?: boolean;
}

export interface SenderWatch {
  watch(sender: BodySender): void;
  unwatch(sender: BodySender): void;
}

interface Seen {
  /** When the last byte was noticed, and how many there were. */
  movedAt: number;
  bytes: number;
  /** The window in which the least rate is measured. */
  windowAt: number;
  windowBytes: number;
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
  const watched = new Set<BodySender>();
  /** Those that were there at the last look. */
  const seen = new WeakMap<BodySender, Seen>();
  let timer: NodeJS.Timeout | undefined;

  function isLate(sender: BodySender, now: number): boolean {
    const bytes = sender.received();
    const last = seen.get(sender);
    if (!last) {
      seen.set(sender, { movedAt: now, bytes, windowAt: now, windowBytes: bytes });
      return false;
    }
    if (bytes !== last.bytes || sender.excused) {
      last.bytes = bytes;
      last.movedAt = now;
    }
    const isWindowOver = now - last.windowAt >= silentMs;
    const isTooSlow = isWindowOver && !sender.excused && bytes - last.windowBytes < leastBytes;
    if (isWindowOver) {
      last.windowAt = now;
      last.windowBytes = bytes;
    }
    return isTooSlow || now - last.movedAt >= silentMs;
  }

  function look(): void {
    const now = performance.now();
    for (const sender of watched) {
      if (!isLate(sender, now)) continue;
      watched.delete(sender);
      sender.late();
    }
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    watch(sender) {
      watched.add(sender);
      timer ??= setInterval(look, silentMs / LOOKS).unref();
    },
    unwatch: (sender) => void watched.delete(sender),
  };
}
