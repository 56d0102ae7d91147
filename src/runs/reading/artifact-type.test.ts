import { expect, it } from 'vitest';
import { artifactType } from './artifact-type.ts';

it.each([
  ['report.md', 'text/markdown; charset=utf-8'],
  ['sub/Data.CSV', 'text/csv; charset=utf-8'],
  ['plot.png', 'image/png'],
  ['drawing.svg', 'text/plain; charset=utf-8'],
  ['page.html', 'text/plain; charset=utf-8'],
  ['main.py', 'text/plain; charset=utf-8'],
  ['build.log', 'text/plain; charset=utf-8'],
  ['program', 'application/octet-stream'],
  ['odd.constructor', 'application/octet-stream'],
  ['.env', 'text/plain; charset=utf-8'],
])('sends %s as %s', (name, type) => {
  expect(artifactType(name)).toBe(type);
});
