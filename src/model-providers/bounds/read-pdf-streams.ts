// The streams of a PDF, inflated within a limit. Streams are found by keyword, not by the file's own tables, which
// cannot be trusted; anything that is not a stream does not inflate and is skipped.
import { inflate } from '../../base/inflate.ts';

export interface PdfStream {
  /** The number of its object; empty if it cannot be determined. */
  readonly id: string;
  readonly dictionary: string;
  /** The content as text; empty for images and fonts. */
  readonly text: string;
  /** Whether it may contain objects, including pages. */
  readonly isStructure: boolean;
  /** Whether it defines what character codes stand for. */
  readonly isMap: boolean;
  /** Bytes of the strings in it. */
  readonly stringBytes: number;
  /** How often it draws something defined elsewhere. */
  readonly draws: number;
}

const PICTURE = /\/(?:DCTDecode|JPXDecode|CCITTFaxDecode|JBIG2Decode)\b/;
/** Filters that are not supported. */
const OTHER_FILTER = /\/(?:LZWDecode|LZW|ASCII85Decode|A85|ASCIIHexDecode|AHx|RunLengthDecode|RL|Crypt|BrotliDecode)\b/;
const FONT_PROGRAM = /\/(?:Length1|Length2|FontFile|Subtype\s*\/(?:Type1C|CIDFontType0C|OpenType))\b/;
const DICTIONARY_BYTES = 8_192;
/** For all dictionaries together; those of a document with thousands of pages are shorter. */
const MOST_DICTIONARY_BYTES = 4 * 1024 * 1024;

/** Undefined if a stream cannot be read, or all of them together exceed `most` bytes. */
export function readStreams(bytes: Buffer, most: number): PdfStream[] | undefined {
  const file = bytes.toString('latin1');
  const streams: PdfStream[] = [];
  let left = most;
  let looked = 0;
  for (const { index } of file.matchAll(/(?<!end)stream(?=\s)/g)) {
    const { id, dictionary, certain } = dictionaryBefore(file, index);
    looked += dictionary.length;
    if (looked > MOST_DICTIONARY_BYTES) return undefined;
    if (certain && PICTURE.test(dictionary)) continue;
    if (OTHER_FILTER.test(dictionary)) return undefined;
    const picture = certain && isPicture(dictionary);
    if (/\/Predictor\s+(?:[2-9]|1\d)/.test(dictionary) && !/\/XRef\b/.test(dictionary) && !picture) return undefined;
    const start = index + 'stream'.length + (file.startsWith('\r\n', index + 'stream'.length) ? 2 : 1);
    const content = readContent(bytes, start, { picture, left });
    if (content === 'too much') return undefined;
    if (!content || (picture && looksBinary(content))) continue;
    left -= content.length;
    streams.push(describe(id, dictionary, content, picture));
  }
  return streams;
}

/**
 * The text between the head of the object and its stream. If that does not look like a dictionary, something else may
 * have been mistaken for the head: then more is examined, and nothing is skipped on its account.
 */
function dictionaryBefore(file: string, index: number): { id: string; dictionary: string; certain: boolean } {
  const from = Math.max(0, index - DICTIONARY_BYTES);
  const head = file.lastIndexOf('obj', index - 1);
  const id = head > from ? /(\d{1,10})\s+\d{1,10}\s*$/.exec(file.slice(Math.max(0, head - 32), head))?.[1] : undefined;
  const near = file.slice(head + 3, index);
  const certain = id !== undefined && /^\s*<<[\s\S]*>>\s*$/.test(near);
  const text = certain ? near : file.slice(from, index);
  return {
    id: id ?? '',
    certain,
    dictionary: text.replace(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  };
}

/** The forms among the streams: what pages draw by name. */
export function findForms(streams: readonly PdfStream[]): PdfStream[] {
  return streams.filter(({ dictionary }) => /\/Subtype\s*\/Form\b/.test(dictionary));
}

interface ReadAs {
  readonly picture: boolean;
  readonly left: number;
}

function readContent(bytes: Buffer, start: number, { picture, left }: ReadAs): Buffer | 'too much' | undefined {
  if (!isCompressed(bytes, start)) {
    const end = bytes.indexOf('endstream', start);
    const plain = bytes.subarray(start, end === -1 ? bytes.length : end);
    return plain.length > left ? 'too much' : plain;
  }
  try {
    return inflate(bytes.subarray(start), { raw: false, mostBytes: left });
  } catch {
    // An image may be larger than everything else together, and it contains no text. Anything else might still be
    // readable by a more lenient reader.
    return picture ? undefined : 'too much';
  }
}

/** It begins like the output of zlib. */
function isCompressed(bytes: Buffer, start: number): boolean {
  return start + 1 < bytes.length && (bytes.readUInt8(start) & 0x0f) === 8 && bytes.readUInt16BE(start) % 31 === 0;
}

function isPicture(dictionary: string): boolean {
  return /\/Subtype\s*\/Image\b/.test(dictionary) && /\/Width\b/.test(dictionary) && !/\/First\b/.test(dictionary);
}

function looksBinary(content: Buffer): boolean {
  const head = content.subarray(0, 1_024);
  return (
    head.filter((byte) => byte > 126 || (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13)).length >
    head.length / 10
  );
}

function describe(id: string, dictionary: string, content: Buffer, picture: boolean): PdfStream {
  if (picture || FONT_PROGRAM.test(dictionary))
    return {
      id,
      dictionary,
      text: '',
      isStructure: false,
      isMap: false,
      stringBytes: picture ? countStrings(content) : 0,
      draws: 0,
    };
  const text = content.toString('latin1');
  const isStructure = /\/(?:ObjStm|First)\b/.test(dictionary);
  const isMap = /beginbf(?:char|range)/.test(text);
  return {
    id,
    dictionary,
    text,
    isStructure,
    isMap,
    stringBytes: isStructure || isMap ? 0 : countStrings(content),
    draws: text.match(/\bDo\b/g)?.length ?? 0,
  };
}

/** Bytes in `(…)`, and half the digits in `<…>`. */
function countStrings(content: Buffer): number {
  let counted = 0;
  let depth = 0;
  let digits: number | undefined;
  for (let at = 0; at < content.length; at++) {
    const byte = content[at];
    if (depth > 0) {
      if (byte === 0x5c) at += 1;
      else if (byte === 0x28) depth += 1;
      else if (byte === 0x29) depth -= 1;
      counted += 1;
    } else if (digits !== undefined) {
      if (byte === 0x3e) {
        counted += Math.ceil(digits / 2);
        digits = undefined;
      } else digits += 1;
    } else if (byte === 0x28) depth = 1;
    else if (byte === 0x3c && content[at + 1] !== 0x3c && content[at - 1] !== 0x3c) digits = 0;
  }
  return counted + Math.ceil((digits ?? 0) / 2);
}
