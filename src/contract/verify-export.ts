// Verifies a saved receipt stream by the documented rule alone (docs/verify-receipts.md): the same in the browser and
// on the command line, without a server. Reports the first fault, in the order index, prev, hash, head.
import canonicalize from 'canonicalize';
import type { z } from 'zod';
import { FORMAT, readSavedReceipts, type SavedHead, type SavedReceipt } from './read-saved-receipts.ts';
import type { fault } from './receipts.ts';

type ChainFault = z.infer<typeof fault>;

export type ExportHead = SavedHead;

/** The same shape as the response of `/service/verify`. */
export interface ExportVerdict {
  readonly stream: string;
  readonly ok: boolean;
  readonly count: number;
  readonly head: ExportHead | null;
  readonly reason?: ChainFault;
  readonly index?: number;
}

/** @param noted a head recorded earlier, for example in a checkpoint: the chain must reach and contain it. */
export async function verifyExport(
  lines: Iterable<string> | AsyncIterable<string>,
  noted?: ExportHead,
): Promise<ExportVerdict> {
  const { stream, genesis, receipts, head: named } = await readSavedReceipts(lines);
  const recorded = [noted, named].filter((known) => known !== undefined);
  let expected = await sha256(utf8(`${FORMAT}\0${stream}`));
  if (genesis !== undefined && genesis !== expected)
    return { stream, ok: false, count: 0, head: null, reason: 'prev_mismatch', index: 0 };
  let head: ExportHead | null = null;
  let count = 0;
  let rewritten: ExportHead | undefined;
  for await (const receipt of receipts) {
    const reason = await faultOf(receipt, count, expected);
    if (reason !== undefined) return { stream, ok: false, count, head, reason, index: count };
    rewritten ??= recorded.find((known) => known.index === receipt.index && known.hash !== receipt.hash);
    head = { index: receipt.index, hash: receipt.hash };
    expected = receipt.hash;
    count++;
  }
  const missed = rewritten ?? recorded.find((known) => known.index >= count);
  return missed === undefined
    ? { stream, ok: true, count, head }
    : { stream, ok: false, count, head, reason: 'head_mismatch', index: missed.index };
}

async function faultOf(receipt: SavedReceipt, index: number, prev: string): Promise<ChainFault | undefined> {
  if (receipt.index !== index) return 'index_gap';
  if (receipt.prev !== prev) return 'prev_mismatch';
  return isCanonical(receipt.text) && (await sha256(join(bytesOf(prev), utf8(receipt.text)))) === receipt.hash
    ? undefined
    : 'hash_mismatch';
}

/** The hash covers the canonical text: any other spelling of the same fields is invalid. */
function isCanonical(text: string): boolean {
  try {
    return canonicalize(JSON.parse(text)) === text;
  } catch {
    return false;
  }
}

const encoder = new TextEncoder();

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
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
