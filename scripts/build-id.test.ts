import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { buildId } from './build-id.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'build-id-'));
  await mkdir(join(root, 'src/rooms'), { recursive: true });
  await writeFile(join(root, 'package.json'), '{}');
  await writeFile(join(root, 'src/rooms/one.ts'), 'export const one = 1;\n');
});
afterEach(() => rm(root, { recursive: true, force: true }));

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
  return execFileSync('git', [...identity, ...args], { cwd: root, encoding: 'utf8' }).trim();
}

it('without git it is a hash of the sources, the same for the same sources', async () => {
  const first = await buildId(root);
  expect(first).toMatch(/^[0-9a-f]{12}$/);
  const copy = await mkdtemp(join(tmpdir(), 'build-id-copy-'));
  await cp(root, copy, { recursive: true });
  expect(await buildId(copy)).toBe(first);
  await writeFile(join(copy, 'src/rooms/one.ts'), 'export const one = 2;\n');
  expect(await buildId(copy)).not.toBe(first);
  await rm(copy, { recursive: true });
});

it('moving text from one file to the next is another build', async () => {
  await writeFile(join(root, 'src/a.ts'), 'ab');
  await writeFile(join(root, 'src/b.ts'), '');
  const first = await buildId(root);
  await writeFile(join(root, 'src/a.ts'), 'a');
  await writeFile(join(root, 'src/b.ts'), 'b');
  expect(await buildId(root)).not.toBe(first);
});

it('a clean commit is named by itself, a changed one by its sources too', async () => {
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'one');
  const commit = git('rev-parse', 'HEAD').slice(0, 12);
  expect(await buildId(root)).toBe(commit);
  await writeFile(join(root, 'src/rooms/one.test.ts'), 'a test is no part of a build');
  await writeFile(join(root, 'notes.md'), 'nor is a page');
  expect(await buildId(root)).toBe(commit);
  await writeFile(join(root, 'src/rooms/two.ts'), 'a new file');
  const changed = await buildId(root);
  expect(changed).toMatch(new RegExp(`^${commit}\\.[0-9a-f]{12}$`));
  await writeFile(join(root, 'src/rooms/two.ts'), 'a newer file');
  expect(await buildId(root)).not.toBe(changed);
});

it('a repository around the sources does not name them', async () => {
  const around = await mkdtemp(join(tmpdir(), 'build-id-around-'));
  await cp(root, join(around, 'inner'), { recursive: true });
  execFileSync('git', ['init', '--quiet'], { cwd: around });
  expect(await buildId(join(around, 'inner'))).toBe(await buildId(root));
  await rm(around, { recursive: true });
});
