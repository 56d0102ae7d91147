import { expect, it } from 'vitest';
import { findUnusedExports } from './find-unused-exports.ts';

const find = (files: Readonly<Record<string, string>>): string[] =>
  findUnusedExports(Object.entries(files).map(([path, text]) => ({ path, text })));

it('an export that another file imports is used, however it is imported', () => {
  const exported =
    'export const a = 1;\nexport function b() {}\nexport const { c, d: e } = x;\nexport default f;\nexport class G {}';
  const importing = "import f, { a, b as bee, type c,\n  e } from './a.ts';\nexport { G } from './a.ts';";
  expect(find({ 'src/room/a.ts': exported, 'src/room/b.ts': importing })).toEqual([]);
  expect(find({ 'src/room/a.ts': exported, 'src/room/b.ts': "import * as all from './a.ts';" })).toEqual([]);
  expect(find({ 'src/room/a.ts': exported, 'src/b.ts': "const all = await import('./room/a.ts');" })).toEqual([]);
});

it('a value that nothing else imports is not, and a type that nothing needs', () => {
  const text = 'export const a = 1;\nexport interface B {}\nexport type C = 1;\nexport function d(c: C) { return a; }';
  expect(
    find({ 'src/a.ts': text, 'src/room/b.ts': "import { a } from './a.ts'; import { d } from '../a.ts';" }),
  ).toEqual(['src/a.ts exports a, which nothing imports', 'src/a.ts exports B, which nothing imports']);
});

it('what is started needs no importer', () => {
  expect(find({ 'src/x/y-thread.ts': 'export const a = 1;', 'web/main.ts': 'export const a = 1;' })).toEqual([]);
});
