import type { z } from 'zod';
import type { fault } from '../../../src/contract/receipts.ts';

export const receiptStrings = {
  title: 'Receipts',
  description:
    'Background runs and tool calls over REST leave receipts in a hash chain; calls over MCP do not. Anyone can verify that no receipt was changed, removed or inserted.',
  streams: 'Streams',
  empty: 'No receipts yet',
  emptyText: 'Call a tool through the REST address of a workspace to see its receipts here.',
  openGateway: 'Open the MCP Gateway',
  ofWorkspace: (name: string): string => `Tool calls in ${name}`,
  organizationWide: 'the whole organization',
  run: (id: string): string => `Background run ${id}`,
  count: (receipts: number): string => (receipts === 1 ? '1 receipt' : `${receipts.toLocaleString()} receipts`),
  head: 'Head',
  notFound: 'Stream not found',
  notFoundText: 'This stream does not exist, or you are not a member of its workspace.',
  back: 'All streams',
  verify: 'Verify',
  export: 'Export',
  exported: 'Export downloaded. Check it offline with servicectl verify.',
  live: 'Live',
  isNew: 'New',
  liveOn: 'New receipts appear at the top as they are written.',
  liveLost: 'The live view was interrupted. Reconnecting…',
  list: 'Receipts, latest first',
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
  missing: (index: number): string => `Receipt ${index} is missing`,
  verified: 'The chain is intact',
  verifiedText: (count: number): string =>
    count === 1
      ? '1 receipt checked, from the first to the head.'
      : `${count.toLocaleString()} receipts checked, from the first to the head.`,
  broken: (index: number): string => `The chain is broken at receipt ${index}`,
  brokenHere: 'The chain breaks here.',
} as const;

export const chainFaults = {
  hash_mismatch: 'Its contents do not match its hash: the receipt was changed after it was written.',
  prev_mismatch: 'It does not link to the previous hash: an earlier receipt was replaced.',
  index_gap: 'The receipt with this number is missing: it was removed.',
  head_mismatch: 'The chain does not end at its recorded head: receipts were cut off, rewritten or added.',
} as const satisfies Record<z.infer<typeof fault>, string>;
