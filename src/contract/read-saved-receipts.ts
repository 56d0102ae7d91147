// Receipts of one stream in any form in which they can be saved: an export, an API response, or JSON lines. An export
// is read line by line, so memory does not grow with its length. The text of a receipt that was saved as fields is
// their canonical JSON.
import canonicalize from 'canonicalize';

export interface SavedHead {
  readonly index: number;
  readonly hash: string;
}

export interface SavedReceipt {
  readonly index: number;
  readonly prev: string;
  readonly hash: string;
  readonly text: string;
}

export interface SavedStream {
  readonly stream: string;
  /** The hash that the first receipt is linked to, according to the export. */
  readonly genesis?: unknown;
  readonly receipts: Iterable<SavedReceipt> | AsyncIterable<SavedReceipt>;
  /** The head named in the response, which may contain only a part of the stream. */
  readonly head?: SavedHead;
}

/** The text contains no receipts that can be verified, or one of its lines is not a receipt. */
export class MalformedExport extends Error {
  override readonly name = 'MalformedExport';
  readonly line: number;

  constructor(line: number, what: string) {
    super(`line ${line} ${what}`);
    this.line = line;
  }
}

export const FORMAT = 'receipt-stream/v1';
const FORMS = `is not the start of an export (format ${FORMAT}), a response of /service/stream?stream= or /jobs/:id/receipts, or JSON lines of receipts`;

type Fields = Record<string, unknown>;
type Lines = AsyncGenerator<{ readonly number: number; readonly text: string }>;

export async function readSavedReceipts(source: Iterable<string> | AsyncIterable<string>): Promise<SavedStream> {
  const lines = numbered(source);
  const first = await lines.next();
  if (first.done) throw new MalformedExport(1, 'is missing: the file is empty');
  const { number, text } = first.value;
  const value = parse(text);
  if (isFields(value)) {
    if (value['format'] === FORMAT && typeof value['stream'] === 'string')
      return { stream: value['stream'], genesis: value['genesis'], receipts: exported(lines) };
    if (isShown(value)) return { stream: value['stream'], receipts: shown(value['stream'], [value], number, lines) };
  }
  const rest: string[] = [text];
  for await (const line of lines) rest.push(line.text);
  return readAnswer(rest.length === 1 ? value : parse(rest.join('\n')), number);
}

/** A whole response, on one line or many. */
function readAnswer(value: unknown, line: number): SavedStream {
  const answer: Fields = Array.isArray(value) ? { receipts: value } : isFields(value) ? value : {};
  const { receipts, head = null } = answer;
  if (!Array.isArray(receipts)) throw new MalformedExport(line, FORMS);
  const [first] = receipts as unknown[];
  const stream =
    typeof answer['stream'] === 'string' ? answer['stream'] : isFields(first) ? first['stream'] : undefined;
  if (typeof stream !== 'string')
    throw new MalformedExport(line, 'starts a response that contains no receipts and names no stream');
  if (head !== null && !isHead(head)) throw new MalformedExport(line, 'starts a response with an invalid head');
  return { stream, receipts: shown(stream, receipts as unknown[], line), ...(head === null ? {} : { head }) };
}

async function* exported(lines: Lines): AsyncGenerator<SavedReceipt> {
  for await (const { number, text: line } of lines) {
    const { index, prev, hash, text } = fieldsOf(line, number);
    if (!isIndex(index) || typeof prev !== 'string' || typeof hash !== 'string' || typeof text !== 'string')
      throw new MalformedExport(number, 'is not a receipt with index, prev, hash and text');
    yield { index, prev, hash, text };
  }
}

/** Receipts saved as fields: first those already read, then one per line. */
async function* shown(
  stream: string,
  read: readonly unknown[],
  line: number,
  lines?: Lines,
): AsyncGenerator<SavedReceipt> {
  for (const value of read) yield toSaved(stream, value, line);
  if (lines) for await (const { number, text } of lines) yield toSaved(stream, fieldsOf(text, number), number);
}

function toSaved(stream: string, value: unknown, line: number): SavedReceipt {
  if (!isShown(value))
    throw new MalformedExport(
      line,
      'contains something other than a receipt with stream, index, kind, at, actor, body, prev and hash',
    );
  if (value.stream !== stream)
    throw new MalformedExport(line, `contains a receipt of another stream, '${value.stream}'`);
  const { index, prev, hash, actor, at, body, kind } = value;
  return { index, prev, hash, text: canonicalize({ actor, at, body, kind }) ?? '' };
}

interface Shown extends Fields {
  readonly stream: string;
  readonly index: number;
  readonly prev: string;
  readonly hash: string;
}

function isShown(value: unknown): value is Shown {
  return (
    isFields(value) &&
    isIndex(value['index']) &&
    ['stream', 'kind', 'at', 'actor', 'prev', 'hash'].every((name) => typeof value[name] === 'string') &&
    'body' in value
  );
}

function isHead(value: unknown): value is SavedHead {
  return isFields(value) && isIndex(value['index']) && typeof value['hash'] === 'string';
}

function isIndex(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldsOf(line: string, number: number): Fields {
  const value = parse(line);
  if (!isFields(value)) throw new MalformedExport(number, 'is not a JSON object');
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Non-empty lines with their numbers. */
async function* numbered(source: Iterable<string> | AsyncIterable<string>): Lines {
  let number = 0;
  for await (const line of source) {
    number++;
    // Some editors start a file with a byte order mark.
    const text = number === 1 ? line.replace(/^\uFEFF/, '') : line;
    if (text.trim() !== '') yield { number, text };
  }
}
