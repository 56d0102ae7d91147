// Takes a JSON text apart while its bytes arrive: the elements of the list that it is, or the one value that it is. What
// is within an element is not looked at, only where it ends. An element that is too large is passed over and reported by
// its size, so that neither its bytes nor the whole text are ever in memory.

export type JsonElement = { readonly bytes: Buffer; readonly tooLarge?: never } | { readonly tooLarge: number };

/** The text is not a list of values, or ends within one. */
export class BrokenJsonError extends Error {}

export interface JsonSplitter {
  /** The elements that end in this piece. */
  take(chunk: Buffer): JsonElement[];
  /** Throws if the text is not over. */
  end(): void;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

export function createJsonSplitter(mostBytes: number): JsonSplitter {
  return new Splitter(mostBytes);
}

/** Where in the text the next byte is. Between elements of a list, or around the only value, nothing is collected. */
type Place = 'before' | 'first' | 'next' | 'within' | 'after-element' | 'after';

class Splitter implements JsonSplitter {
  readonly #mostBytes: number;
  #place: Place = 'before';
  #isList = false;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #collected: Buffer[] = [];
  #size = 0;
  #marks = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  take(chunk: Buffer): JsonElement[] {
    const found: JsonElement[] = [];
    for (let at = 0; at < chunk.length;) {
      if (!this.#isWithin(chunk[at] ?? 0)) {
        at++;
        continue;
      }
      const end = this.#findEnd(chunk, at);
      this.#collect(chunk.subarray(at, end.at));
      if (end.isOver) found.push(this.#finish());
      at = end.at;
    }
    return found;
  }

  end(): void {
    // A number or word on its own ends with the text; it is no conversation, so it does not have to be returned.
    if (this.#place !== 'after') throw new BrokenJsonError('the text ends too early');
  }

  /** Whether an element goes on, or begins, with this byte. */
  #isWithin(byte: number): boolean {
    if (this.#place !== 'within') this.#place = this.#placeAfter(byte);
    return this.#place === 'within';
  }

  #placeAfter(byte: number): Place {
    if (this.#place === 'before' && byte === BYTE_ORDER_MARK[this.#marks]) this.#marks++;
    else if (!isSpace(byte)) return this.#placeAfterSign(byte);
    return this.#place;
  }

  #placeAfterSign(byte: number): Place {
    switch (this.#place) {
      case 'before':
        this.#isList = byte === OPEN_LIST;
        return this.#isList ? 'first' : 'within';
      case 'first':
        return byte === CLOSE_LIST ? 'after' : 'within';
      case 'next':
        return 'within';
      case 'after-element':
        if (byte !== COMMA && byte !== CLOSE_LIST) throw new BrokenJsonError('no comma between two elements');
        return byte === COMMA ? 'next' : 'after';
      default:
        throw new BrokenJsonError('something follows the text');
    }
  }

  /** Where the element ends in this chunk, or the end of the chunk. */
  #findEnd(chunk: Buffer, from: number): { at: number; isOver: boolean } {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === BACKSLASH) this.#escaped = true;
        else if (byte === QUOTE) {
          this.#inString = false;
          if (this.#depth === 0) return { at: at + 1, isOver: true };
        }
        continue;
      }
      if (byte === QUOTE) this.#inString = true;
      else if ((byte & 0xdf) === 0x5b) this.#depth++;
      else if ((byte & 0xdf) === 0x5d) {
        // The end of the list ends a number or a word that is its last element.
        if (this.#depth === 0) return { at, isOver: true };
        this.#depth--;
        if (this.#depth === 0) return { at: at + 1, isOver: true };
      } else if (this.#depth === 0 && (byte === COMMA || isSpace(byte))) return { at, isOver: true };
    }
    return { at: chunk.length, isOver: false };
  }

  #collect(piece: Buffer): void {
    this.#size += piece.length;
    if (this.#size > this.#mostBytes) this.#collected = [];
    // A copy: the chunk may be reused.
    else this.#collected.push(Buffer.from(piece));
  }

  #finish(): JsonElement {
    const element: JsonElement =
      this.#size > this.#mostBytes ? { tooLarge: this.#size } : { bytes: Buffer.concat(this.#collected) };
    if (this.#size === 0) throw new BrokenJsonError('an element is missing');
    this.#collected = [];
    this.#size = 0;
    this.#place = this.#isList ? 'after-element' : 'after';
    return element;
  }
}
