// Watches a stream that is passed through untouched: what it cost, how much was written, and whether it came to its
// end. It looks at the bytes as Latin-1 text, so a chunk is copied once and searched at full speed; JSON is parsed
// only for the first event (the id) and for a usage object. A key with its quotes never occurs inside a JSON string,
// where quotes are escaped, so the search cannot be misled by what a model writes.
import type { Protocol, Usage } from './neutral.ts';
import { isObject, type Loose } from './read-fields.ts';
import { findChatUsage, findMessagesUsage, findResponsesUsage, mergeMessagesUsage } from './usage.ts';

export interface Observation {
  /** The provider's id of the answer. */
  readonly id: string | undefined;
  readonly usage: Usage | undefined;
  /** Whether `usage` is the final count; before, its output is not to be trusted. */
  readonly usageFinal: boolean;
  /** UTF-8 bytes of text, reasoning and arguments seen so far: what an estimate is made of when usage never came. */
  readonly outputBytes: number;
  /** Whether the answer came to its proper end. */
  readonly finished: boolean;
}

export interface StreamObserver {
  feed(bytes: Uint8Array): void;
  /** What was seen so far. */
  see(): Observation;
}

interface Watch {
  /** Keys under which pieces of output arrive. */
  readonly pieces: readonly string[];
  /** Texts that mark the end of an answer in a data line. */
  readonly endings: readonly string[];
  readonly id: (event: Loose) => unknown;
  readonly usage: (counts: Loose) => Usage | undefined;
}

const inside = (key: string) => (event: Loose): unknown => (isObject(event[key]) ? event[key]['id'] : undefined);
const typed = (...types: readonly string[]): string[] => types.flatMap((type) => [`"type":"${type}"`, `"type": "${type}"`]);

const WATCHES = {
  chat: { pieces: ['"content":', '"arguments":', '"reasoning_content":', '"reasoning":', '"refusal":'], endings: ['"finish_reason":"', '"finish_reason": "'], id: (event) => event['id'], usage: findChatUsage },
  messages: { pieces: ['"text":', '"partial_json":', '"thinking":'], endings: typed('message_stop'), id: inside('message'), usage: findMessagesUsage },
  responses: { pieces: ['"delta":'], endings: typed('response.completed', 'response.incomplete', 'response.failed'), id: inside('response'), usage: findResponsesUsage },
} as const satisfies Record<Protocol, Watch>;

/** A line beyond this is not kept whole; its end still holds the usage. */
const MAX_HELD = 1024 * 1024;
const KEPT_HEAD = 1024;
const KEPT_TAIL = 128 * 1024;

export function createStreamObserver(protocol: Protocol): StreamObserver {
  const watch: Watch = WATCHES[protocol];
  let held = '';
  let id: string | undefined;
  let counts: Loose = {};
  let usage: Usage | undefined;
  let usageFinal = false;
  let outputBytes = 0;
  let finished = false;

  function readData(line: string): void {
    if (id === undefined) id = findId(line, watch);
    for (const piece of watch.pieces) outputBytes += measure(line, piece);
    if (!finished) finished = watch.endings.some((ending) => line.includes(ending));
    if (line.includes('"usage":')) readUsage(line);
  }

  function readUsage(line: string): void {
    const found = findUsageObject(line, watch);
    if (found === undefined) return;
    counts = protocol === 'messages' ? mergeMessagesUsage(counts, found) : found;
    usage = watch.usage(counts);
    usageFinal = protocol !== 'messages' || line.includes('"message_delta"');
  }

  function readLine(line: string): void {
    if (line.startsWith('data:')) {
      if (line.startsWith('[DONE]', line.charAt(5) === ' ' ? 6 : 5)) finished = true;
      else readData(line);
    }
  }

  return {
    feed(bytes) {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
      let from = 0;
      for (let to = text.indexOf('\n'); to !== -1; to = text.indexOf('\n', from)) {
        readLine(held === '' ? text.slice(from, to) : held + text.slice(from, to));
        held = '';
        from = to + 1;
      }
      held += from === 0 ? text : text.slice(from);
      if (held.length > MAX_HELD) held = held.slice(0, KEPT_HEAD) + held.slice(-KEPT_TAIL);
    },
    see: () => ({ id, usage, usageFinal, outputBytes, finished }),
  };
}

function findId(line: string, watch: Watch): string | undefined {
  try {
    const event: unknown = JSON.parse(line.slice(5));
    const id = isObject(event) ? watch.id(event) : undefined;
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}

/** UTF-8 bytes of the text values of a key. */
function measure(line: string, key: string): number {
  let bytes = 0;
  for (let at = line.indexOf(key); at !== -1; at = line.indexOf(key, at + key.length)) {
    const start = line.charAt(at + key.length) === ' ' ? at + key.length + 1 : at + key.length;
    if (line.charAt(start) !== '"') continue;
    const end = endOfString(line, start + 1);
    const raw = line.slice(start + 1, end);
    bytes += raw.includes('\\') ? unescapedBytes(raw) : raw.length;
  }
  return bytes;
}

function endOfString(line: string, from: number): number {
  for (let at = line.indexOf('"', from); at !== -1; at = line.indexOf('"', at + 1)) {
    let slashes = 0;
    while (at - slashes > from && line.charAt(at - slashes - 1) === '\\') slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return line.length;
}

/** The line is Latin-1, one character a byte: only escapes of a code unit count for more than themselves. */
function unescapedBytes(raw: string): number {
  try {
    return Buffer.byteLength(JSON.parse(`"${Buffer.from(raw, 'latin1').toString('utf8')}"`) as string);
  } catch {
    return raw.length;
  }
}

/** The last object under `usage` that holds counts; a tool's schema may have a property of that name too. */
function findUsageObject(line: string, watch: Watch): Loose | undefined {
  const key = '"usage":';
  for (let at = line.lastIndexOf(key); at !== -1; at = at === 0 ? -1 : line.lastIndexOf(key, at - 1)) {
    const start = line.charAt(at + key.length) === ' ' ? at + key.length + 1 : at + key.length;
    const found = line.charAt(start) === '{' ? parseObject(line, start) : undefined;
    if (found !== undefined && watch.usage(found) !== undefined) return found;
  }
  return undefined;
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
