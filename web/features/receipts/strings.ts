import type { z } from 'zod';
import type { fault } from '../../../src/contract/receipts.ts';

export const receiptStrings = {
  title: 'Receipts',
  description:
    'Every background run and every tool call over REST leaves receipts in a hash chain; calls over MCP leave none. Anybody can verify that none was changed, taken out or put in.',
  streams: 'Streams',
  empty: 'No receipts yet',
  emptyText: 'Call a tool over the REST address of a workspace, and its receipts appear here.',
  openGateway: 'Open the MCP Gateway',
  ofWorkspace: (name: string): string => `Tool calls of ${name}`,
  organizationWide: 'the whole organization',
  run: (id: string): string => `Background run ${id}`,
  count: (receipts: number): string => (receipts === 1 ? '1 receipt' : `${receipts.toLocaleString()} receipts`),
  head: 'Head',
  notFound: 'Stream not found',
  notFoundText: 'There is no such stream, or you are not a member of the workspace it belongs to.',
  back: 'All streams',
  verify: 'Verify',
  export: 'Export',
  exported: 'The export was downloaded. servicectl verify checks it offline.',
  live: 'Live',
  isNew: 'New',
  liveOn: 'New receipts appear at the top as they are written.',
  liveLost: 'The live tail was interrupted and connects again.',
  list: 'Receipts, the latest first',
  index: (index: number): string => `Receipt ${index}`,
  by: 'by',
  you: 'you',
  body: 'Contents',
  hash: 'Hash',
  previous: 'Previous',
  genesis: 'Start of the stream',
  copyHash: 'Copy hash',
  copyPrevious: 'Copy previous hash',
  earlier: 'Load earlier receipts',
  latest: 'Show the latest',
  showAt: (index: number): string => `Show receipt ${index}`,
  missing: (index: number): string => `Receipt ${index} is not there`,
  verified: 'The chain is intact',
  verifiedText: (count: number): string =>
    count === 1
      ? '1 receipt was checked, from the first to the head.'
      : `${count.toLocaleString()} receipts were checked, from the first to the head.`,
  broken: (index: number): string => `The chain is broken at receipt ${index}`,
  brokenHere: 'The chain breaks here.',
} as const;

/** What each fault of a chain means. */
export const chainFaults = {
  hash_mismatch: 'Its contents and its hash disagree: the receipt was changed after it was written.',
  prev_mismatch: 'It does not link to the hash before it: a receipt before it was replaced.',
  index_gap: 'The receipt with this number is missing: it was taken out.',
  head_mismatch:
    'The chain does not end at the head that was recorded for it: receipts were cut off, rewritten or added.',
} as const satisfies Record<z.infer<typeof fault>, string>;
