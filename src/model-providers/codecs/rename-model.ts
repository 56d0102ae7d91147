// Puts the catalogue's name of a model in place of the provider's, in answers that are passed through. It works on
// bytes as Latin-1 text: nothing is parsed, and a chunk without the name is handed on as it is. In a JSON string every quote is
// escaped, so a key with its quotes is never found in what a model writes. Only the first one of a line counts, behind
// the key that holds the answer where the protocol has one: whatever else is called so stands deeper or later.
import type { Protocol } from './neutral.ts';

export interface ModelRenamer {
  /** What to send on now; `text` are the bytes as Latin-1, where somebody has them. At most a name that has not ended yet is held back. */
  feed(bytes: Buffer, text?: string): Buffer;
  end(): Buffer;
}

const MODEL = '"model":';
const KEYS: Readonly<Record<Protocol, readonly string[]>> = {
  chat: [MODEL],
  messages: ['"message":', MODEL],
  responses: ['"response":', MODEL],
};

/** A value beyond this is no name of a model. */
const MAX_NAME = 256;

export function createModelRenamer(protocol: Protocol, name: string): ModelRenamer {
  const keys = KEYS[protocol];
  const value = Buffer.from(JSON.stringify(name)).toString('latin1');
  /** How many of the keys the line has shown; all of them: nothing more is replaced in it. */
  let found = 0;
  let held = '';
  /** Messages says the name once, at the start. */
  let over = false;

  /** The text with the name replaced, without what is held back. */
  function replace(text: string): string {
    let out = '';
    let sent = 0;
    let at = 0;
    while (at < text.length && !over) {
      const key = keys[found];
      const hit = key === undefined ? -1 : text.indexOf(key, at);
      // The first key may be in any line that follows; the others only in the line of the first.
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

/** The end of the text that may be the beginning of the key. */
function partOf(key: string, text: string, from: number): string {
  if (text.endsWith('\n')) return '';
  for (let length = Math.min(key.length - 1, text.length - from); length > 0; length -= 1) {
    if (text.endsWith(key.slice(0, length))) return key.slice(0, length);
  }
  return '';
}

/** The name stands near the beginning of an answer. */
const HEAD_BYTES = 1024;

/** The same for a whole answer, of which the provider's name is known. */
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
