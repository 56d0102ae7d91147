import { expect, it } from 'vitest';
import { IMAGE_MAX_BYTES, imageTypeOf, previewKindOf, separatorOf } from './preview-kind.ts';

it.each([
  ['report.md', 'markdown'],
  ['sub/Data.CSV', 'table'],
  ['data.tsv', 'table'],
  ['page.html', 'html'],
  ['plot.png', 'image'],
  ['drawing.svg', 'image'],
  ['main.py', 'text'],
  ['Makefile', 'text'],
  ['archive.zip', undefined],
  ['odd.constructor', undefined],
  ['program', undefined],
])('previews %s as %s', (name, kind) => {
  expect(previewKindOf(name, 100)).toBe(kind);
});

it('does not preview an image that is too large, and knows types and separators', () => {
  expect(previewKindOf('plot.png', IMAGE_MAX_BYTES + 1)).toBeUndefined();
  expect(['a.jpg', 'a.svg', 'a.png'].map(imageTypeOf)).toEqual(['image/jpeg', 'image/svg+xml', 'image/png']);
  expect(['a.csv', 'a.tsv'].map(separatorOf)).toEqual([',', '\t']);
});
