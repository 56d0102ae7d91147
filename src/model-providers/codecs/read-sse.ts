// Splits a byte stream into server-sent events. Lines are split as bytes and decoded whole, so a character split over
// two chunks never breaks; an unfinished line is kept in one growing buffer, so that no chunking is quadratic.

export const MAX_EVENT_BYTES = 1024 * 1024;

const LF = 10;
const CR = 13;
const SPACE = 32;
const COLON = 58;

export interface SseReader {
  feed(bytes: Uint8Array): void;
  /** Delivers an event that lacks its closing blank line. */
  end(): void;
}

export interface SseSink {
  event(data: string, name: string): void;
  /** A line or an event exceeds the limit; nothing follows. */
  overflow(): void;
}

export function createSseReader(sink: SseSink, maxBytes: number = MAX_EVENT_BYTES): SseReader {
  let held = Buffer.alloc(0);
  let heldLength = 0;
  let data: string | undefined;
  let name = '';
  let first = true;
  let stopped = false;

  function overflow(): void {
    stopped = true;
    held = Buffer.alloc(0);
    data = undefined;
    sink.overflow();
  }

  function hold(bytes: Buffer): void {
    const needed = heldLength + bytes.length;
    if (needed > maxBytes) return overflow();
    if (needed > held.length) {
      const grown = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(1024, needed * 2)));
      held.copy(grown, 0, 0, heldLength);
      held = grown;
    }
    bytes.copy(held, heldLength);
    heldLength = needed;
  }

  function dispatch(): void {
    if (data !== undefined) {
      const whole = data;
      const called = name;
      data = undefined;
      name = '';
      sink.event(whole, called);
    } else name = '';
  }

  function line(bytes: Buffer, from: number, to: number): void {
    let start = from;
    if (first) {
      first = false;
      if (bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf) start += 3;
    }
    const end = to > start && bytes[to - 1] === CR ? to - 1 : to;
    if (end === start) return dispatch();
    if (end - start > maxBytes) return overflow();
    if (isField(bytes, start, end, 'data')) {
      const value = bytes.toString('utf8', valueStart(bytes, start + 5, end), end);
      data = data === undefined ? value : `${data}\n${value}`;
      if (data.length > maxBytes) overflow();
    } else if (isField(bytes, start, end, 'event'))
      name = bytes.toString('utf8', valueStart(bytes, start + 6, end), end);
  }

  return {
    feed(chunk) {
      const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      let from = 0;
      for (let to = bytes.indexOf(LF); to !== -1; to = bytes.indexOf(LF, from)) {
        if (stopped) return;
        if (heldLength > 0) {
          hold(bytes.subarray(from, to));
          if (stopped) return;
          const length = heldLength;
          heldLength = 0;
          line(held, 0, length);
        } else line(bytes, from, to);
        from = to + 1;
      }
      if (!stopped && from < bytes.length) hold(from === 0 ? bytes : bytes.subarray(from));
    },
    end() {
      if (stopped) return;
      if (heldLength > 0) line(held, 0, heldLength);
      heldLength = 0;
      if (!stopped) dispatch();
      stopped = true;
    },
  };
}

function isField(bytes: Buffer, start: number, end: number, field: string): boolean {
  if (end - start <= field.length || bytes[start + field.length] !== COLON) return false;
  for (let index = 0; index < field.length; index += 1)
    if (bytes[start + index] !== field.charCodeAt(index)) return false;
  return true;
}

function valueStart(bytes: Buffer, start: number, end: number): number {
  return start < end && bytes[start] === SPACE ? start + 1 : start;
}
