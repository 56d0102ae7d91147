import { expect, it } from 'vitest';
import { COLUMNS_MAX, readTable, ROWS_MAX } from './read-table.ts';

it.each([
  ['plain rows', 'a,b\n1,2\n', ',', [['1', '2']]],
  ['no line break at the end', 'a,b\n1,2', ',', [['1', '2']]],
  ['quotes, separators and line breaks in quotes', 'a,b\n"x, ""y""","1\n2"\n', ',', [['x, "y"', '1\n2']]],
  ['tabs', 'a\tb\n1,5\t2\n', '\t', [['1,5', '2']]],
  ['line breaks of Windows, and a byte order mark', '\uFEFFa,b\r\n1,2\r\n', ',', [['1', '2']]],
  [
    'empty fields and blank lines',
    'a,b\n,\n\n,2\n',
    ',',
    [
      ['', ''],
      ['', '2'],
    ],
  ],
  ['a quote that is never closed', 'a,b\n"1,2', ',', [['1,2']]],
] as const)('reads %s', (_, text, separator, rows) => {
  expect(readTable(text, separator)).toEqual({ head: ['a', 'b'], rows, isCut: false });
});

it('reads nothing as nothing', () => {
  expect(readTable('', ',')).toEqual({ head: [], rows: [], isCut: false });
});

it('stops at what a page can show, and says so', () => {
  const long = readTable(`n\n${'1\n'.repeat(ROWS_MAX + 5)}`, ',');
  expect([long.rows.length, long.isCut]).toEqual([ROWS_MAX, true]);
  const exact = readTable(`n\n${'1\n'.repeat(ROWS_MAX)}`, ',');
  expect([exact.rows.length, exact.isCut]).toEqual([ROWS_MAX, false]);
  const wide = readTable(`${'a,'.repeat(COLUMNS_MAX)}b\n`, ',');
  expect([wide.head.length, wide.isCut]).toEqual([COLUMNS_MAX, true]);
});
