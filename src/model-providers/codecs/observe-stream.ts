// Watches a stream that is passed through untouched: its usage, how much was written, and whether it is complete. It
// searches whole lines as Latin-1 text with one pattern per protocol and parses JSON only for a usage object. A key
// with its quotes never occurs inside a JSON string, where quotes are escaped, so text written by a model cannot
// mislead the search.
import type { Protocol, Usage } from './neutral.ts';
import { isObject, type Loose } from './read-fields.ts';
import { findChatUsage, findMessagesUsage, findResponsesUsage, mergeMessagesUsage } from './usage.ts';

export interface Observation {
  /** The provider's id of the answer. */
  readonly id: string | undefined;
  readonly usage: Usage | undefined;
  /** Whether `usage` is the final count; until then its output is not reliable. */
  readonly usageFinal: boolean;
  /** UTF-8 bytes of text, reasoning and arguments so far: the basis of an estimate if usage is never reported. */
  readonly outputBytes: number;
  /** Whether the answer is complete. */
  readonly finished: boolean;
}

export interface StreamObserver {
  feed(bytes: Uint8Array): void;
  /** The same bytes as Latin-1. */
  feedText(text: string): void;
  /** What has been observed so far. */
  see(): Observation;
  /** The sequence number of the last whole event, if events are numbered. */
  sequence(): number | undefined;
  /** The line of the last event, once, if lines are kept and it is complete. */
  takeEnd(): string | undefined;
}

interface Watch {
  /** Matches a piece of output (group 1), the end marker (group 2), or the brace that opens a usage object. */
  readonly marks: RegExp;
  readonly usage: (counts: Loose) => Usage | undefined;
}

const WATCHES = {
  chat: {
    marks:
      /("(?:content|arguments|input|reasoning_content|reasoning|refusal)": ?")|("finish_reason": ?")|"usage": ?\{/g,
    usage: findChatUsage,
  },
  messages: {
    marks: /("(?:text|partial_json|thinking)": ?")|("type": ?"message_stop")|"usage": ?\{/g,
    usage: findMessagesUsage,
  },
  responses: {
    marks: /("delta": ?")|("type": ?"response\.(?:completed|incomplete|failed)")|"usage": ?\{/g,
    usage: findResponsesUsage,
  },
} as const satisfies Record<Protocol, Watch>;

const ID = /"id": ?"([^"\\]{1,200})"/;
/** The id is in the first event; a stream without one is not searched forever. */
const ID_ATTEMPTS = 8;

/** A longer line is not kept whole; its end still contains the usage. */
const MAX_HELD = 1024 * 1024;
const KEPT_HEAD = 1024;
const KEPT_TAIL = 128 * 1024;

/** Lines of up to `keepLineBytes` are kept whole, so that the last event can be read. */
export function createStreamObserver(
  protocol: Protocol,
  { keepLineBytes = 0 }: { readonly keepLineBytes?: number } = {},
): StreamObserver {
  const { marks, usage: findUsage }: Watch = WATCHES[protocol];
  let held = '';
  let id: string | undefined;
  let attempts = 0;
  let counts: Loose = {};
  let usage: Usage | undefined;
  let usageFinal = false;
  let outputBytes = 0;
  let finished = false;
  let latest = '';
  let end: string | undefined;

  function scan(text: string): void {
    latest = text;
    if (id === undefined && attempts < ID_ATTEMPTS) {
      attempts += 1;
      id = ID.exec(text)?.[1];
    }
    marks.lastIndex = 0;
    for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
      if (mark[1] !== undefined) {
        const end = endOfString(text, marks.lastIndex);
        outputBytes += bytesOf(text.slice(marks.lastIndex, end));
        marks.lastIndex = end;
      } else if (mark[2] !== undefined) {
        finished = true;
        if (keepLineBytes > 0) end = lineAround(text, mark.index);
      } else readUsage(text, marks.lastIndex - 1);
    }
    if (!finished && protocol === 'chat') finished = text.startsWith('data: [DONE]') || text.includes('\ndata: [DONE]');
  }

  /** A tool schema may also have a property of this name, so only an object with counts is used. */
  function readUsage(text: string, brace: number): void {
    const found = parseObject(text, brace);
    if (found === undefined || findUsage(found) === undefined) return;
    counts = protocol === 'messages' ? mergeMessagesUsage(counts, found) : found;
    usage = findUsage(counts);
    usageFinal = protocol !== 'messages' || lineAround(text, brace).includes('"message_delta"');
  }

  function feedText(text: string): void {
    const end = text.endsWith('\n') ? text.length : text.lastIndexOf('\n') + 1;
    if (end > 0) {
      const lines = end === text.length ? text : text.slice(0, end);
      scan(held === '' ? lines : held + lines);
      held = '';
    }
    if (end < text.length) held += end === 0 ? text : text.slice(end);
    if (held.length > Math.max(MAX_HELD, keepLineBytes)) held = held.slice(0, KEPT_HEAD) + held.slice(-KEPT_TAIL);
  }

  return {
    feed: (bytes) =>
      feedText(
        (Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)).toString(
          'latin1',
        ),
      ),
    feedText,
    see: () => ({ id, usage, usageFinal, outputBytes, finished }),
    sequence: () => lastNumber(latest),
    takeEnd() {
      const taken = end === undefined ? undefined : Buffer.from(end, 'latin1').toString('utf8');
      end = undefined;
      return taken;
    },
  };
}

function lastNumber(text: string): number | undefined {
  const at = text.lastIndexOf('"sequence_number":');
  const number = at < 0 ? Number.NaN : Number.parseInt(text.slice(at + '"sequence_number":'.length), 10);
  return Number.isNaN(number) ? undefined : number;
}

function lineAround(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(text.lastIndexOf('\n', at) + 1, end === -1 ? text.length : end);
}

function endOfString(line: string, from: number): number {
  for (let at = line.indexOf('"', from); at !== -1; at = line.indexOf('"', at + 1)) {
    let slashes = 0;
    while (at - slashes > from && line.charAt(at - slashes - 1) === '\\') slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return line.length;
}

/** The text is Latin-1, one character per byte; only JSON escapes differ in size. */
function bytesOf(raw: string): number {
  if (!raw.includes('\\')) return raw.length;
  try {
    return Buffer.byteLength(JSON.parse(`"${Buffer.from(raw, 'latin1').toString('utf8')}"`) as string);
  } catch {
    return raw.length;
  }
}

function parseObject(line: string, start: number): Loose | undefined {
  let depth = 0;
  for (let at = start; at < line.length; at += 1) {
    const char = line.charCodeAt(at);
    if (char === 123) depth += 1;
    else if (char === 125) depth -= 1;
    if (depth > 0) continue;
    try {
      const value: unknown = JSON.parse(line.slice(start, at + 1));
      return isObject(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }
  return undefined;
}
