import { expect, it } from 'vitest';
import { readPatch } from '../../../../src/contract/patches/read-patch.ts';
import { type Row, toRows } from './to-rows.ts';

const PATCH = `diff --git a/a b/a
--- a/a
+++ b/a
@@ -1,6 +1,6 @@ f()
 one
-two
-three
+2
 four
+5
-six
+6
 seven
\\ No newline at end of file
`;
const [file] = readPatch(PATCH);
const texts = (rows: Row[]): unknown[] =>
  rows.map((row) =>
    row.kind === 'hunk' ? row.text : row.kind === 'line' ? row.line.text : [row.before?.text, row.after?.text],
  );

it('has a row for each line in one column', () => {
  expect(texts(toRows(file ?? { hunks: [] }, 'unified'))).toEqual([
    '@@ -1 +1 @@ f()',
    'one',
    'two',
    'three',
    '2',
    'four',
    '5',
    'six',
    '6',
    'seven',
    'No newline at end of file',
  ]);
});

it('has deleted lines beside the added ones that follow them', () => {
  expect(texts(toRows(file ?? { hunks: [] }, 'split'))).toEqual([
    '@@ -1 +1 @@ f()',
    ['one', 'one'],
    ['two', '2'],
    ['three', undefined],
    ['four', 'four'],
    [undefined, '5'],
    ['six', '6'],
    ['seven', 'seven'],
  ]);
});
