import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findPathFault } from './hostile-path.ts';
import { readPatch } from './read-patch.ts';

let directory: string;
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'service-patch-'))));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: directory, encoding: 'utf8' });
const file = (name: string, content: string): void => writeFileSync(join(directory, name), content);

/** What git itself says of a change. */
function patchOf(before: () => void, change: () => void): string {
  git('init', '-q');
  before();
  git('add', '-A');
  git('commit', '-q', '--allow-empty', '-m', 'first');
  change();
  git('add', '-A');
  return git('diff', '--cached', '--binary', '--full-index', '--find-renames', 'HEAD');
}

it('has the lines of each side with their numbers, and what stands behind the ranges', () => {
  const patch = patchOf(
    () => file('a.ts', 'function f() {\n  1\n  2\n  3\n  4\n  5\n}\nlast'),
    () => file('a.ts', 'function f() {\n  1\n  2\n  3\n  4\n  six\n}\nlast\n'),
  );
  const [read] = readPatch(patch);
  expect(read).toMatchObject({ path: 'a.ts', binary: false, mode: '100644' });
  expect(read?.hunks[0]).toMatchObject({ before: 3, after: 3, heading: 'function f() {' });
  expect(read?.hunks[0]?.lines.filter(({ kind }) => kind !== 'same')).toEqual([
    { kind: 'removed', text: '  5', before: 6 },
    { kind: 'added', text: '  six', after: 6 },
    { kind: 'removed', text: 'last', before: 8 },
    { kind: 'note', text: 'No newline at end of file' },
    { kind: 'added', text: 'last', after: 8 },
  ]);
});

it('is not misled by lines that look like the head of a file or a range', () => {
  const patch = patchOf(
    () => file('a', '-- a/x\ndiff --git a/x b/x\n@@ -1 +1 @@\n'),
    () => file('a', '++ b/evil\n\n'),
  );
  const read = readPatch(patch);
  expect(read.map(({ path }) => path)).toEqual(['a']);
  expect(read[0]?.hunks).toHaveLength(1);
  expect(read[0]?.hunks[0]?.lines.map(({ text }) => text)).toEqual([
    '-- a/x',
    'diff --git a/x b/x',
    '@@ -1 +1 @@',
    '++ b/evil',
    '',
  ]);
});

it.each(['plain', 'with space', 'b/a b', 'two\nlines', 'tab\t', '"quoted"', 'zürich ü', 'back\\slash', ' b'])(
  'names a file %j as it is called, whatever happens to it',
  (name) => {
    const flat = name.replaceAll('/', '_');
    const patch = patchOf(
      () => file('gone', 'x'),
      () => {
        file(flat, 'text\n');
        file(`${flat}.empty`, '');
        file(`${flat}.bin`, 'a\0b');
      },
    );
    expect(readPatch(patch).map(({ path, binary }) => [path, binary])).toEqual(
      expect.arrayContaining([
        [flat, false],
        [`${flat}.empty`, false],
        [`${flat}.bin`, true],
      ]),
    );
  },
);

it('says what a file was called, and what kind it is', () => {
  const patch = patchOf(
    () => {
      file('old', 'text\n'.repeat(20));
      file('deleted', 'x\n');
      file('script', 'x\n');
    },
    () => {
      git('mv', 'old', 'new');
      rmSync(join(directory, 'deleted'));
      chmodSync(join(directory, 'script'), 0o755);
      symlinkSync('/etc/passwd', join(directory, 'link'));
    },
  );
  expect(readPatch(patch)).toMatchObject([
    { path: 'deleted', hunks: [{ lines: [{ kind: 'removed' }] }] },
    { path: 'link', mode: '120000' },
    { path: 'new', from: 'old', hunks: [] },
    { path: 'script', mode: '100755' },
  ]);
});

it('reads a patch that is cut in a line as far as it goes', () => {
  const patch = patchOf(
    () => {},
    () => file('a', 'one\ntwo\nthree\n'),
  );
  for (let end = 0; end <= patch.length; end++) expect(() => readPatch(patch.slice(0, end))).not.toThrow();
});

it.each([
  ['a/b', true],
  ['.github/x', true],
  ['.gitattributes', true],
  ['..x/y', true],
  ['', false],
  ['/etc/passwd', false],
  ['../x', false],
  ['a/../../x', false],
  ['a//b', false],
  ['C:/x', false],
  ['a\\..\\x', false],
  ['.git/hooks/pre-commit', false],
  ['a/.GIT/config', false],
  ['.git. /config', false],
  ['.g\u200cit/config', false],
  ['git~1/config', false],
  ['.git::$INDEX_ALLOCATION/config', false],
])('takes the path %j: %s', (path, fine) => {
  expect(findPathFault(path) === undefined).toBe(fine);
});
