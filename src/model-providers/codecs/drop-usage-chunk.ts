// Usage is asked of every Chat Completions stream, but a client that did not ask for it must not get the extra
// chunk. A chunk of bytes that ends an event and holds no usage is handed on as it is; otherwise whole events are.

/** An event larger than this is handed on unseen. */
const MAX_HELD = 1024 * 1024;
const MAX_PIECES = 4096;
const NOTHING = Buffer.alloc(0);
const LF = 10;
const CR = 13;

export interface UsageChunkFilter {
  /** What to send on now; empty while an event is unfinished. `text` are the bytes as Latin-1, where somebody has them. */
  feed(bytes: Buffer, text?: string): Buffer;
  end(): Buffer;
}

export function createUsageChunkFilter(): UsageChunkFilter {
  let held: Buffer[] = [];
  let heldLength = 0;
  /** The last bytes held: a blank line may lie across the border of two chunks. */
  let tail = '';

  function take(bytes: Buffer): Buffer {
    if (heldLength === 0) return bytes;
    const all = Buffer.concat([...held, bytes]);
    held = [];
    heldLength = 0;
    tail = '';
    return all;
  }

  function hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    held.push(bytes);
    heldLength += bytes.length;
    tail = (tail + bytes.toString('latin1', Math.max(0, bytes.length - 2))).slice(-2);
  }

  return {
    feed(bytes, text) {
      const endsHere = endOfEvents(bytes) > 0 || (tail !== '' && /\n\r?\n/.test(tail + bytes.toString('latin1', 0, 2)));
      if (!endsHere) {
        hold(bytes);
        return heldLength > MAX_HELD || held.length > MAX_PIECES ? take(NOTHING) : NOTHING;
      }
      const all = take(bytes);
      const whole = endOfEvents(all);
      if (whole === all.length) return withoutUsage(all, all === bytes ? text : undefined);
      hold(all.subarray(whole));
      return withoutUsage(all.subarray(0, whole));
    },
    end: () => withoutUsage(take(NOTHING)),
  };
}

/** The position after the last blank line; mostly that is the end. */
function endOfEvents(bytes: Buffer): number {
  const { length } = bytes;
  if (bytes[length - 1] === LF && (bytes[length - 2] === LF || (bytes[length - 2] === CR && bytes[length - 3] === LF)))
    return length;
  const plain = bytes.lastIndexOf('\n\n');
  const carried = bytes.lastIndexOf('\n\r\n');
  return Math.max(plain === -1 ? 0 : plain + 2, carried === -1 ? 0 : carried + 3);
}

function withoutUsage(bytes: Buffer, text: string = bytes.toString('latin1')): Buffer {
  if (!hasUsage(text)) return bytes;
  const kept: string[] = [];
  let dropped = false;
  for (const event of text.split(/(?<=\n\r?\n)/)) {
    if (isUsageChunk(event)) dropped = true;
    else kept.push(event);
  }
  return dropped ? Buffer.from(kept.join(''), 'latin1') : bytes;
}

/** Most chunks say that there is none yet; the key is looked for once. */
function hasUsage(text: string): boolean {
  for (let at = text.indexOf('"usage":'); at !== -1; at = text.indexOf('"usage":', at + 8))
    if (text.startsWith('{', at + 8) || text.startsWith(' {', at + 8)) return true;
  return false;
}

/** The chunk that exists only for its usage has no choices. */
function isUsageChunk(event: string): boolean {
  return event.startsWith('data:') && /"usage": ?\{/.test(event) && /"choices": ?\[\s*\]/.test(event);
}
