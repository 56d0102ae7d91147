import type { LinkedReceipt } from './receipt.ts';

export interface PresentedReceipt {
  stream: string;
  index: number;
  kind: string;
  at: string;
  actor: string;
  body: unknown;
  prev: string;
  hash: string;
}

/** A stored receipt as the interface shows it. A text that is not valid JSON is shown as it is, without a kind. */
export function presentReceipt({ stream, index, prev, hash, text }: LinkedReceipt): PresentedReceipt {
  const { kind = '', at = '', actor = '', body = text } = parseText(text);
  return {
    stream,
    index,
    kind: String(kind),
    at: String(at),
    actor: String(actor),
    body,
    prev: prev.toString('hex'),
    hash: hash.toString('hex'),
  };
}

function parseText(text: string): { kind?: unknown; at?: unknown; actor?: unknown; body?: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
