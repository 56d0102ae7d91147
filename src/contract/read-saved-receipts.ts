// Receipts of one stream as somebody saved them: an export, an answer of the service that holds receipts, or JSON lines of
// receipts. An export is read line by line, so that its length does not matter to memory. The text of a receipt that was
// shown as fields is their canonical JSON again.
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
  /** The hash that an export says its first receipt is linked to. */
  readonly genesis?: unknown;
  readonly receipts: Iterable<SavedReceipt> | AsyncIterable<SavedReceipt>;
  /** The head that the answer named: it may hold only a part of the stream. */
  readonly head?: SavedHead;
}

/** The text holds no receipts that can be verified, or a line of it is no receipt. */
export class MalformedExport extends Error {
  override readonly name = 'MalformedExport';
  readonly line: number;

  constructor(line: number, what: string) {
    super(`line ${line} ${what}`);
    this.line = line;
  }
}

export const FORMAT = 'receipt-stream/v1';
const FORMS = `begins no export (format ${FORMAT}), no answer of /service/stream?stream= or /jobs/:id/receipts, and no JSON lines of receipts`;

type Fields = Record<string, unknown>;
type Lines = AsyncGenerator<{ readonly number: number; readonly text: string }>;

export async function readSavedReceipts(source: Iterable<string> | AsyncIterable<string>): Promise<SavedStream> {
  const lines = numbered(source);
  const first = await lines.next();
  if (first.done) throw new MalformedExport(1, 'is missing: there is nothing in it');
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

/** A whole answer, on one line or on many. */
function readAnswer(value: unknown, line: number): SavedStream {
  const answer: Fields = Array.isArray(value) ? { receipts: value } : isFields(value) ? value : {};
  const { receipts, head = null } = answer;
  if (!Array.isArray(receipts)) throw new MalformedExport(line, FORMS);
  const [first] = receipts as unknown[];
  const stream =
    typeof answer['stream'] === 'string' ? answer['stream'] : isFields(first) ? first['stream'] : undefined;
  if (typeof stream !== 'string')
    throw new MalformedExport(line, 'begins an answer that holds no receipt and names no stream');
  if (head !== null && !isHead(head)) throw new MalformedExport(line, 'begins an answer whose head is none');
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

/** Receipts with their fields, those that were read first, then one a line. */
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
      'holds something that is not a receipt with stream, index, kind, at, actor, body, prev and hash',
    );
  if (value.stream !== stream) throw new MalformedExport(line, `holds a receipt of another stream, '${value.stream}'`);
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

/** Lines that hold something, by their number. */
async function* numbered(source: Iterable<string> | AsyncIterable<string>): Lines {
  let number = 0;
  for await (const line of source) {
    number++;
    // Some editors begin a file with a mark.
    const text = number === 1 ? line.replace(/^\uFEFF/, '') : line;
    if (text.trim() !== '') yield { number, text };
  }
}
