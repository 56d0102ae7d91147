import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fitTable } from './fit-table.ts';

const HEADS = ['JOB', 'STATUS', 'OBJECTIVE'];
const ROWS = [
  ['job_01k5zz9', 'running', 'Summarise every open issue of the site'],
  ['job_01k5zza', 'queued', 'Short'],
];

it('a table that fits has one aligned line per row', () => {
  expect(fitTable(HEADS, ROWS, 80)).toEqual({
    headLines: 1,
    lines: [
      'JOB          STATUS   OBJECTIVE',
      'job_01k5zz9  running  Summarise every open issue of the site',
      'job_01k5zza  queued   Short',
    ],
  });
});

it('prose is wrapped between words, identifiers are kept whole', () => {
  expect(fitTable(HEADS, ROWS, 42).lines).toEqual([
    'JOB          STATUS   OBJECTIVE',
    'job_01k5zz9  running  Summarise every open',
    '                      issue of the site',
    'job_01k5zza  queued   Short',
  ]);
});

it('if that is not enough, each row is a block with one field per line', () => {
  expect(fitTable(HEADS, ROWS.slice(0, 2), 24)).toEqual({
    headLines: 0,
    lines: [
      'JOB        job_01k5zz9',
      'STATUS     running',
      'OBJECTIVE  Summarise',
      '           every open',
      '           issue of the',
      '           site',
      '',
      'JOB        job_01k5zza',
      'STATUS     queued',
      'OBJECTIVE  Short',
    ],
  });
});

it('a table without headings keeps its columns', () => {
  expect(
    fitTable(
      ['', ''],
      [
        ['service', 'http://localhost:4000'],
        ['scopes', 'chat jobs:read jobs:write'],
      ],
      26,
    ),
  ).toEqual({
    headLines: 0,
    lines: ['service  http://localhost:4000', 'scopes   chat jobs:read', '         jobs:write'],
  });
});

it('never loses a word, and exceeds the width only if a single word does', () => {
  const cell = fc.stringMatching(/^[a-z]{1,9}(?: [a-z]{1,9}){0,8}$/);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 22, max: 90 }),
      (rows, width) => {
        const { lines } = fitTable(['A', 'B', 'C'], rows, width);
        const words = (text: string): string[] =>
          text
            .split(/\s+/)
            .filter((word) => word !== '')
            .toSorted();
        const printed = words(lines.join(' ')).filter((word) => !/^[ABC]$/.test(word));
        expect(printed).toEqual(words(rows.flat().join(' ')));
        expect(lines.every((line) => line.length <= width)).toBe(true);
      },
    ),
  );
});
