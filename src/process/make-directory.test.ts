import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeDirectory } from './make-directory.ts';

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'service-make-directory-'))));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const modeOf = (path: string): number => statSync(join(directory, path)).mode & 0o7777;

it('gives every directory that it creates the mode, regardless of the umask', async () => {
  await makeDirectory(join(directory, 'a', 'b', 'c'), 0o777);
  expect(['a', 'a/b', 'a/b/c'].map(modeOf)).toEqual([0o777, 0o777, 0o777]);
});

it('leaves an existing directory and its parents unchanged', async () => {
  mkdirSync(join(directory, 'a'));
  chmodSync(join(directory, 'a'), 0o710);
  await makeDirectory(join(directory, 'a'), 0o755);
  await makeDirectory(join(directory, 'a', 'b'), 0o755);
  expect(['a', 'a/b'].map(modeOf)).toEqual([0o710, 0o755]);
});
