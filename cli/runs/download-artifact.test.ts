import { expect, it } from 'vitest';
import { isArtifactName } from './download-artifact.ts';

it.each(['report.md', 'sub/a.txt', 'a/b/ü 1.txt', '...', '.hidden', 'a..b/c'])(
  '%s may be the name of a file',
  (name) => {
    expect(isArtifactName(name)).toBe(true);
  },
);

it.each([
  '',
  '.',
  '..',
  '../secret',
  '/etc/passwd',
  'sub/../../secret',
  'sub//a',
  'sub/./a',
  'sub/',
  String.raw`sub\a`,
  'C:/a',
  'a\0b',
])('%j is refused', (name) => {
  expect(isArtifactName(name)).toBe(false);
});
