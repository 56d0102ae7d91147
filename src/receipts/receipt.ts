// A receipt and its link in a chain. Its text is the canonical JSON of {actor, at, body, kind}; that exact text is stored
// and hashed, so verification never depends on how a database or a parser prints JSON.
import { createHash, hash } from 'node:crypto';
import { canonicalJson, type Json } from '../base/canonical-json.ts';

export interface ReceiptDraft {
  readonly kind: string;
  /** `user:<id>` or `system:<role>`. */
  readonly actor: string;
  readonly body: Json;
}

export interface Head {
  readonly index: number;
  readonly hash: Buffer;
}

/** A receipt as it is stored: linked, hashed, its content as text. */
export interface LinkedReceipt {
  readonly stream: string;
  readonly index: number;
  readonly prev: Buffer;
  readonly hash: Buffer;
  readonly text: string;
}

export function receiptText(draft: ReceiptDraft, at: Date): string {
  return canonicalJson({ actor: draft.actor, at: at.toISOString(), body: draft.body, kind: draft.kind });
}

export function genesisHash(stream: string): Buffer {
  return createHash('sha256').update('receipt-stream/v1\0').update(stream).digest();
}

function receiptHash(prev: Buffer, text: string): Buffer {
  return Buffer.from(hexHash(prev, text), 'hex');
}

export function isHashOf(claimed: Buffer, prev: Buffer, text: string): boolean {
  return claimed.toString('hex') === hexHash(prev, text);
}

/** In one call and as hex: a digest that is returned as a Buffer costs more to make than to compute. */
function hexHash(prev: Buffer, text: string): string {
  const bytes = Buffer.allocUnsafe(prev.length + Buffer.byteLength(text));
  prev.copy(bytes);
  bytes.write(text, prev.length);
  return hash('sha256', bytes, 'hex');
}

/** Links a text to a head; without a head it begins the stream. */
export function linkReceipt(stream: string, head: Head | undefined, text: string): LinkedReceipt {
  const prev = head?.hash ?? genesisHash(stream);
  return { stream, index: head ? head.index + 1 : 0, prev, hash: receiptHash(prev, text), text };
}

/** Links texts to a head, in order. */
export function linkReceipts(stream: string, head: Head | undefined, texts: readonly string[]): LinkedReceipt[] {
  let last = head;
  return texts.map((text) => {
    const linked = linkReceipt(stream, last, text);
    last = linked;
    return linked;
  });
}
