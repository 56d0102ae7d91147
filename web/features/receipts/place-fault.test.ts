import { expect, it } from 'vitest';
import type { ReceiptOnWire } from '../../../src/contract/receipts.ts';
import { placeFault } from './place-fault.ts';

const receipt = (index: number): ReceiptOnWire => ({
  stream: 's',
  index,
  kind: 'k',
  at: '',
  actor: '',
  body: {},
  prev: '',
  hash: '',
});
const show = (indexes: number[], faultAt: number | undefined, reach = 0): string =>
  placeFault(indexes.map(receipt), faultAt, reach)
    .map((link) => (link.type === 'missing' ? `-${link.index}-` : `${link.receipt.index}${link.broken ? '!' : ''}`))
    .join(' ');

it.each([
  ['nothing is wrong', [3, 2, 1, 0], undefined, 0, '3 2 1 0'],
  ['a receipt was changed', [3, 2, 1, 0], 2, 0, '3 2! 1 0'],
  ['one is missing in the middle', [3, 1, 0], 2, 0, '3 -2- 1 0'],
  ['the end was cut off', [1, 0], 3, 0, '-3- 1 0'],
  ['the first is missing', [2, 1], 0, 0, '2 1 -0-'],
  ['all are missing', [], 0, 0, '-0-'],
  ['the fault is further down than what is loaded', [9, 8], 2, 8, '9 8'],
])('when %s', (_, indexes, faultAt, reach, shown) => {
  expect(show(indexes, faultAt, reach)).toBe(shown);
});
