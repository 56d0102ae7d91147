// The changes made to a stream that is otherwise passed through untouched: the provider's model name is replaced
// by the catalogue's, what is said of storing is what is true here, and the usage chunk is dropped if the client did not
// ask for it. They search the bytes as Latin-1 text and parse nothing; a chunk that needs no change is returned as it is. Quotes inside a JSON string are escaped,
// so a key with its quotes never matches text that a model wrote.
import type { Answer } from './encode-answer.ts';
import type { Protocol } from './neutral.ts';

export interface StreamRewriter {
  /** The bytes to send on now, which may be none. `text` is the same bytes as Latin-1, if the caller has it. */
  feed(bytes: Buffer, text?: string): Buffer;
  end(): Buffer;
}

const MODEL = '"model":';
const KEYS: Readonly<Record<Protocol, readonly string[]>> = {
  chat: [MODEL],
  messages: ['"message":', MODEL],
  responses: ['"response":', MODEL],
};

/** A longer value is not a model name. */
const MAX_NAME = 256;

export function createModelRenamer(protocol: Protocol, name: string): StreamRewriter {
  const keys = KEYS[protocol];
  const value = Buffer.from(JSON.stringify(name)).toString('latin1');
  /** How many of the keys have been found in this line. After the last one, nothing more in it is replaced. */
  let found = 0;
  let held = '';
  /** Messages contains the name once, at the start. */
  let over = false;

  /** The text with the name replaced, without what is held back. */
  function replace(text: string): string {
    let out = '';
    let sent = 0;
    let at = 0;
    while (at < text.length && !over) {
      const key = keys[found];
      const hit = key === undefined ? -1 : text.indexOf(key, at);
      // The first key may be in any later line; the others only in the line of the first.
      const line = found === 0 ? -1 : text.indexOf('\n', at);
      if (line !== -1 && (hit === -1 || hit > line)) {
        found = 0;
        at = line + 1;
        continue;
      }
      if (key === undefined) break;
      if (hit === -1) {
        held = partOf(key, text, at);
        break;
      }
      at = hit + key.length;
      if (found < keys.length - 1) {
        found += 1;
        continue;
      }
      const start = text.startsWith(' ', at) ? at + 1 : at;
      const close = text.startsWith('"', start) ? text.indexOf('"', start + 1) : start < text.length ? start : -1;
      if (close === -1 && text.length - start <= MAX_NAME) {
        held = text.slice(hit);
        break;
      }
      found += 1;
      if (close <= start || close - start > MAX_NAME) continue;
      over = protocol === 'messages';
      if (close + 1 - start === value.length && text.startsWith(value, start)) {
        at = close + 1;
        continue;
      }
      out += text.slice(sent, start) + value;
      sent = close + 1;
      at = sent;
    }
    return sent === 0 && held === '' ? text : out + text.slice(sent, text.length - held.length);
  }

  return {
    feed(chunk, text = chunk.toString('latin1')) {
      if (over && held === '') return chunk;
      const before = held;
      held = '';
      const renamed = replace(before === '' ? text : before + text);
      return renamed === text ? chunk : Buffer.from(renamed, 'latin1');
    },
    end() {
      const rest = held;
      held = '';
      return Buffer.from(rest, 'latin1');
    },
  };
}

/** The end of the text, if it may be the start of the key. */
function partOf(key: string, text: string, from: number): string {
  if (text.endsWith('\n')) return '';
  for (let length = Math.min(key.length - 1, text.length - from); length > 0; length -= 1) {
    if (text.endsWith(key.slice(0, length))) return key.slice(0, length);
  }
  return '';
}

/** The name is near the start of an answer. */
const HEAD_BYTES = 1024;

/** The same for a whole answer whose model name is known. */
export function renameModel(bytes: Buffer, theirs: unknown, name: string): Buffer {
  if (typeof theirs !== 'string' || theirs === name) return bytes;
  const value = Buffer.from(JSON.stringify(theirs)).toString('latin1');
  for (const length of [HEAD_BYTES, bytes.length]) {
    const text = bytes.toString('latin1', 0, length);
    for (const before of ['"model":', '"model": ']) {
      const found = text.indexOf(before + value);
      if (found === -1) continue;
      const start = found + before.length;
      return Buffer.concat([
        bytes.subarray(0, start),
        Buffer.from(JSON.stringify(name)),
        bytes.subarray(start + value.length),
      ]);
    }
  }
  return bytes;
}

/** Text of an answer that is not true here, with what is. */
type Correction = readonly [theirs: string, ours: string];

/** The provider was sent a whole conversation that it does not store; the client referred to one, and it is stored here. */
export function findCorrections(protocol: Protocol, { request }: Pick<Answer, 'request'>): readonly Correction[] {
  if (protocol !== 'responses') return [];
  const previous = request['previous_response_id'];
  const fields = [
    ...(request['store'] === true ? [['"store":', 'false', 'true'] as const] : []),
    ...(typeof previous === 'string' ? [['"previous_response_id":', 'null', JSON.stringify(previous)] as const] : []),
  ];
  return fields.flatMap(([key, theirs, ours]) =>
    ['', ' '].map((gap) => [key + gap + theirs, key + gap + ours] as const),
  );
}

export function createCorrector(corrections: readonly Correction[]): StreamRewriter {
  let held = '';
  return {
    feed(chunk, text = chunk.toString('latin1')) {
      const corrected = correctText(held + text, corrections);
      const parts = corrections.map(([theirs]) => partOf(theirs, corrected, 0));
      held = parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '');
      return corrected === text && held === ''
        ? chunk
        : Buffer.from(corrected.slice(0, corrected.length - held.length), 'latin1');
    },
    end() {
      const rest = held;
      held = '';
      return Buffer.from(rest, 'latin1');
    },
  };
}

/** The same for a whole answer. */
export function correctAnswer(bytes: Buffer, corrections: readonly Correction[]): Buffer {
  return corrections.length === 0 ? bytes : Buffer.from(correctText(bytes.toString('latin1'), corrections), 'latin1');
}

function correctText(text: string, corrections: readonly Correction[]): string {
  return corrections.reduce((corrected, [theirs, ours]) => corrected.replaceAll(theirs, () => ours), text);
}

/** A larger event is passed on unread. */
const MAX_HELD = 1024 * 1024;
const MAX_PIECES = 4096;
const NOTHING = Buffer.alloc(0);
const LF = 10;
const CR = 13;
const BLANK_LINE = /\n\r?\n/g;

export function createUsageChunkFilter(): StreamRewriter {
  let held: Buffer[] = [];
  let heldLength = 0;
  /** The last bytes held: a blank line may span two chunks. */
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

/** The position after the last blank line, which is usually the end. */
function endOfEvents(bytes: Buffer): number {
  const { length } = bytes;
  if (bytes[length - 1] === LF && (bytes[length - 2] === LF || (bytes[length - 2] === CR && bytes[length - 3] === LF)))
    return length;
  return afterLastBlankLine(bytes);
}

function afterLastBlankLine(bytes: Buffer | string): number {
  const plain = bytes.lastIndexOf('\n\n');
  const carried = bytes.lastIndexOf('\n\r\n');
  return Math.max(plain === -1 ? 0 : plain + 2, carried === -1 ? 0 : carried + 3);
}

function withoutUsage(bytes: Buffer, text: string = bytes.toString('latin1')): Buffer {
  let kept = '';
  let sent = 0;
  let seen = 0;
  for (let mark = nextUsage(text, 0); mark !== -1; mark = nextUsage(text, seen)) {
    const start = seen + afterLastBlankLine(text.slice(seen, mark));
    seen = endOfEvent(text, mark);
    if (!isUsageChunk(text.slice(start, seen))) continue;
    kept += text.slice(sent, start);
    sent = seen;
  }
  return sent === 0 ? bytes : Buffer.from(kept + text.slice(sent), 'latin1');
}

function endOfEvent(text: string, from: number): number {
  BLANK_LINE.lastIndex = from;
  return BLANK_LINE.test(text) ? BLANK_LINE.lastIndex : text.length;
}

/** Most chunks have `"usage": null`, so the key alone is not enough. */
function nextUsage(text: string, from: number): number {
  for (let at = text.indexOf('"usage":', from); at !== -1; at = text.indexOf('"usage":', at + 8))
    if (text.startsWith('{', at + 8) || text.startsWith(' {', at + 8)) return at;
  return -1;
}

/** The chunk that exists only for its usage has no choices. */
function isUsageChunk(event: string): boolean {
  return event.startsWith('data:') && /"usage": ?\{/.test(event) && /"choices": ?\[\s*\]/.test(event);
}
