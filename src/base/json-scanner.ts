// Measures a JSON text while its bytes arrive, before anything is parsed: how deeply it nests and how many values it
// holds. Parsing and walking cost by the value, not by the byte, and code that walks a value may recurse. The bytes need
// not be JSON: whatever they are, a text that is within the limits is cheap to parse or to refuse.

export interface JsonLimits {
  readonly depth: number;
  /** Commas and opening brackets outside strings: about one per value. */
  readonly values: number;
}

export const JSON_LIMITS: JsonLimits = {
  depth: 256,
  /** More than any provider takes: 300,000 tokens to embed, or 10,000 messages, parts and tools of many fields each. */
  values: 500_000,
};

export type JsonFault = 'is nested too deeply' | 'holds too many values';

export interface JsonScanner {
  /** Takes the next bytes; returns a fault once there is one. */
  take(chunk: Uint8Array): JsonFault | undefined;
  /** Values so far. */
  readonly values: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
/** After this many bytes of a string, its end is searched for natively, which pays for long strings only. */
const STRETCH = 64;

export function createJsonScanner(limits: JsonLimits = JSON_LIMITS): JsonScanner {
  return new Scanner(limits);
}

/** A class, because every body passes here: its fields are cheaper than the variables of a closure. */
class Scanner implements JsonScanner {
  values = 0;
  #depth = 0;
  #inString = false;
  /** Whether the first byte of the next chunk is escaped. */
  #escaped = false;
  readonly #limits: JsonLimits;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
  }

  take(chunk: Uint8Array): JsonFault | undefined {
    const { length } = chunk;
    if (length === 0) return undefined;
    const { depth: mostDeep, values: mostValues } = this.#limits;
    let deep = this.#depth;
    let count = this.values;
    let quoted = this.#inString;
    let at = this.#escaped ? 1 : 0;
    while (at < length) {
      if (quoted) {
        at = findQuote(chunk, at);
        if (at >= length) break;
        quoted = false;
        at++;
        continue;
      }
      const byte = chunk[at++] ?? 0;
      if (byte === QUOTE) quoted = true;
      else if (byte === COMMA) count++;
      // [ and {, then ] and }: each pair is 0x20 apart.
      else if ((byte & 0xdf) === 0x5b) {
        count++;
        if (++deep > mostDeep) return 'is nested too deeply';
      } else if ((byte & 0xdf) === 0x5d) deep--;
    }
    this.#depth = deep;
    this.values = count;
    this.#inString = quoted;
    this.#escaped = at > length;
    return count > mostValues ? 'holds too many values' : undefined;
  }
}

/**
 * The position of the quote that ends a string. If it is not in the chunk: the chunk's length, or one more if the byte
 * after the chunk is escaped.
 */
function findQuote(chunk: Uint8Array, from: number): number {
  const { length } = chunk;
  for (let at = from, plain = 0; at < length;) {
    const byte = chunk[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) {
      at += 2;
      plain = 0;
      if (at > length) return at;
    } else {
      at++;
      if (++plain < STRETCH) continue;
      plain = 0;
      const next = chunk.indexOf(QUOTE, at);
      const end = next === -1 ? length : next;
      // No escape is open at `at`, so the backslashes from there on come in pairs unless the quote is escaped.
      let first = end;
      while (first > at && chunk[first - 1] === BACKSLASH) first--;
      at = end - ((end - first) % 2);
    }
  }
  return length;
}

/** Measures a text that is there as a whole. */
export function findJsonFault(bytes: Uint8Array, limits: JsonLimits = JSON_LIMITS): JsonFault | undefined {
  // Too short to be too much of anything.
  return bytes.length <= Math.min(limits.depth, limits.values) ? undefined : createJsonScanner(limits).take(bytes);
}
