import type { ReceiptOnWire } from '../../../src/contract/receipts.ts';

export type Link =
  | { readonly type: 'receipt'; readonly receipt: ReceiptOnWire; readonly broken: boolean }
  | { readonly type: 'missing'; readonly index: number };

/**
 * The loaded receipts, latest first, with the verification fault in place: at its receipt, or as a gap where a receipt
 * is missing. `reach` is the lowest loaded index.
 */
export function placeFault(receipts: readonly ReceiptOnWire[], faultAt: number | undefined, reach: number): Link[] {
  const links: Link[] = receipts.map((receipt) => ({ type: 'receipt', receipt, broken: receipt.index === faultAt }));
  if (faultAt === undefined || faultAt < reach || receipts.some(({ index }) => index === faultAt)) return links;
  const before = receipts.findIndex(({ index }) => index < faultAt);
  links.splice(before < 0 ? links.length : before, 0, { type: 'missing', index: faultAt });
  return links;
}
