import { expect, it } from 'vitest';
import {
  formatBytes,
  formatCost,
  formatDuration,
  formatList,
  formatStepTime,
  formatExactCost,
  plural,
  toPercent,
} from './format.ts';

it.each([
  [0, '0 bytes'],
  [1_023, '1,023 bytes'],
  [1_024, '1 KiB'],
  [1_600_000, '1.5 MiB'],
  [1_048_575, '1 MiB'],
  [10 * 1024 ** 3, '10 GiB'],
  [1_000_000_000_000_000, '909.5 TiB'],
  [2 ** 60, '1,024 PiB'],
])('%d bytes are shown as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

it('shows seconds, then minutes with seconds, then hours with minutes', () => {
  expect([-5, 999, 59_999, 60_000, 3_599_999, 3_600_000, 90_061_000].map(formatDuration)).toEqual([
    '0 s',
    '0 s',
    '59 s',
    '1 min 0 s',
    '59 min 59 s',
    '1 h 0 min',
    '25 h 1 min',
  ]);
});

it('shows the time of a step exactly where it is short', () => {
  expect([3.4, 999, 1_500, 59_900, 61_000].map(formatStepTime)).toEqual([
    '3 ms',
    '999 ms',
    '1.5 s',
    '59.9 s',
    '1 min 1 s',
  ]);
});

it('does not round a fraction of a cent to nothing', () => {
  expect([0, 0.000_12, 0.5, 1_234.5].map(formatExactCost)).toEqual(['$0.00', '$0.00012', '$0.50', '$1,234.50']);
});

it('rounds an amount to cents, or to two digits below one, and a share to what a progress bar may hold', () => {
  expect([0, 0.000_124, 0.025_209, 0.5, 1_234.5].map(formatCost)).toEqual([
    '$0.00',
    '$0.00012',
    '$0.03',
    '$0.50',
    '$1,234.50',
  ]);
  expect([27 / 1024 ** 3, 0.123_45, 1, 2, -1].map(toPercent).map(String)).toEqual(['0', '12.3', '100', '100', '0']);
});

it('takes the form of the number and puts the number into it', () => {
  const forms = { one: '# chat deleted', other: '# chats deleted' };
  expect([0, 1, 2, 1_200].map((count) => plural(count, forms))).toEqual([
    '0 chats deleted',
    '1 chat deleted',
    '2 chats deleted',
    '1,200 chats deleted',
  ]);
});

it('joins a list', () => {
  expect(formatList(['memory', 'disk'])).toBe('memory and disk');
});
