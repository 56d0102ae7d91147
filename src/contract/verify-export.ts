// Verifies an exported receipt stream with nothing but the documented rule (docs/verify-receipts.md): the same in the
// browser and on the command line, without a server. The first fault in order index, prev, hash, then head is named.
import type { z } from 'zod';
import type { fault } from './receipts.ts';

export type ChainFault = z.infer<typeof fault>;

export interface ExportHead {
  readonly index: number;
  readonly hash: string;
}

/** The same shape as the answer of `/service/verify`. */
export interface ExportVerdict {
  readonly stream: string;
  readonly ok: boolean;
  readonly count: number;
  readonly head: ExportHead | null;
  readonly reason?: ChainFault;
  readonly index?: number;
}

/** The text is no export at all, or a line of it is no receipt. */
export class MalformedExport extends Error {
  override readonly name = 'MalformedExport';
  readonly line: number;

  constructor(line: number, what: string) {
    super(`line ${line} ${what}`);
    this.line = line;
  }
}

const FORMAT = 'receipt-stream/v1';
const HASH = /^[0-9a-f]{64}$/;

interface ExportedReceipt {
  readonly index: number;
  readonly prev: string;
  readonly hash: string;
  readonly text: string;
}

/** @param recorded a head noted earlier, from a checkpoint for example: the chain must reach and contain it. */
export async function verifyExport(lines: Iterable<string> | AsyncIterable<string>, recorded?: ExportHead): Promise<ExportVerdict> {
  let number = 0;
  let stream: string | undefined;
  let expected = '';
  let head: ExportHead | null = null;
  let count = 0;
  let rewritten = false;
  for await (const line of lines) {
    number++;
    if (line.trim() === '') continue;
    if (stream === undefined) {
      stream = readHeader(line, number);
      expected = await sha256(utf8(`${FORMAT}\0${stream}`));
      continue;
    }
    const receipt = readReceipt(line, number);
    const reason = await faultOf(receipt, count, expected);
    if (reason !== undefined) return { stream, ok: false, count, head, reason, index: count };
    if (recorded?.index === receipt.index && recorded.hash !== receipt.hash) rewritten = true;
    head = { index: receipt.index, hash: receipt.hash };
    expected = receipt.hash;
    count++;
  }
  if (stream === undefined) throw new MalformedExport(1, `does not name the format ${FORMAT}`);
  if (recorded !== undefined && (rewritten || recorded.index >= count)) return { stream, ok: false, count, head, reason: 'head_mismatch', index: recorded.index };
  return { stream, ok: true, count, head };
}

async function faultOf(receipt: ExportedReceipt, index: number, prev: string): Promise<ChainFault | undefined> {
  if (receipt.index !== index) return 'index_gap';
  if (receipt.prev !== prev) return 'prev_mismatch';
  return (await sha256(join(bytesOf(prev), utf8(receipt.text)))) === receipt.hash ? undefined : 'hash_mismatch';
}

function readHeader(line: string, number: number): string {
  const { format, stream } = parseFields(line, number);
  if (format !== FORMAT || typeof stream !== 'string') throw new MalformedExport(number, `does not name the format ${FORMAT} and a stream`);
  return stream;
}

function readReceipt(line: string, number: number): ExportedReceipt {
  const { index, prev, hash, text } = parseFields(line, number);
  if (!Number.isSafeInteger(index) || typeof prev !== 'string' || !HASH.test(prev) || typeof hash !== 'string' || !HASH.test(hash) || typeof text !== 'string') {
    throw new MalformedExport(number, 'is not a receipt with index, prev, hash and text');
  }
  return { index: index as number, prev, hash, text };
}

function parseFields(line: string, number: number): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new MalformedExport(number, 'is not a JSON object');
}

const encoder = new TextEncoder();

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text) as Uint8Array<ArrayBuffer>;
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
