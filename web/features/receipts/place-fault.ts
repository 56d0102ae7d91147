import type { ReceiptOnWire } from '../../../src/contract/receipts.ts';

export type Link =
  | { readonly type: 'receipt'; readonly receipt: ReceiptOnWire; readonly broken: boolean }
  | { readonly type: 'missing'; readonly index: number };

/**
 * The loaded receipts, the latest first, with the fault of a verification in its place: at its receipt, or as a gap
 * where a receipt ought to be. `reach` is the lowest index that is loaded.
 */
export function placeFault(receipts: readonly ReceiptOnWire[], faultAt: number | undefined, reach: number): Link[] {
  const links: Link[] = receipts.map((receipt) => ({ type: 'receipt', receipt, broken: receipt.index === faultAt }));
  if (faultAt === undefined || faultAt < reach || receipts.some(({ index }) => index === faultAt)) return links;
  const before = receipts.findIndex(({ index }) => index < faultAt);
  links.splice(before < 0 ? links.length : before, 0, { type: 'missing', index: faultAt });
  return links;
}
