import { open, mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findReleasesInUse, mayRunFrom, pruneReleases, releaseName, switchTo } from './releases.ts';

let root: string;
let releases: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'service-releases-')));
  releases = join(root, 'releases');
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function release(second: number): Promise<string> {
  const directory = join(releases, releaseName(new Date(Date.UTC(2030, 0, 1, 0, 0, second))));
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'web.js'), String(second));
  return directory;
}
const latest = (): Promise<string> => readFile(join(root, 'dist', 'web.js'), 'utf8');

it('switches to a release by a relative link, and makes one of the directory that was there before', async () => {
  await mkdir(join(root, 'dist'));
  await writeFile(join(root, 'dist', 'web.js'), 'plain');
  await switchTo(join(root, 'dist'), await release(1));
  expect([await latest(), await readlink(join(root, 'dist'))]).toEqual(['1', 'releases/20300101T000001000Z']);
  expect((await readdir(releases)).length).toBe(2);
  await switchTo(join(root, 'dist'), await release(2));
  expect([await latest(), (await readdir(root)).sort()]).toEqual(['2', ['dist', 'releases']]);
});

it('removes what is neither among the last two nor in use, and nothing where that cannot be known', async () => {
  const [first] = [await release(1), await release(2), await release(3), await release(4)];
  expect(await pruneReleases(releases, undefined)).toEqual([]);
  const held = await open(first);
  const inUse = await findReleasesInUse(releases);
  expect(inUse).toEqual(new Set(['20300101T000001000Z']));
  expect(await pruneReleases(releases, inUse)).toEqual(['20300101T000002000Z']);
  await held.close();
  expect(await pruneReleases(releases, await findReleasesInUse(releases))).toEqual(['20300101T000001000Z']);
  expect((await readdir(releases)).length).toBe(2);
});

it.each([
  ['of this checkout', (): string => join(root, 'dist', 'web.js'), true],
  ['with a relative path', (): string => 'dist/stack.js', true],
  ['of another checkout', (): string => '/srv/other/dist/web.js', false],
  ['of something else', (): string => '/usr/bin/web.js', false],
])('takes a program %s for what it may be', async (_which, program, may) => {
  expect(await mayRunFrom(root, ['/usr/bin/node', '--disable-warning=ExperimentalWarning', program()])).toBe(may);
});
