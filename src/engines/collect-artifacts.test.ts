import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AppError } from '../base/errors.ts';
import type { RunStorage } from '../enforcement/storage.ts';
import type { FileEntry } from '../sandbox/driver.ts';
import { ARTIFACT_CAPS, collectArtifacts } from './collect-artifacts.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'service-artifacts-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

type Files = Record<string, FileEntry[]>;
const file = (name: string, size = 1): FileEntry => ({ name, type: 'file', size });

function collect(files: Files, read: (path: string) => Buffer = () => Buffer.from('x'), storage?: RunStorage) {
  const client = {
    async listFiles(_id: string, path: string) {
      const entries = files[path];
      if (!entries) throw new AppError('not_found');
      return { entries };
    },
    readFile: async (_id: string, path: string) => read(path),
  };
  return collectArtifacts(
    client,
    'sbx',
    { artifacts: async () => directory, ...(storage ? { storage } : {}) },
    new AbortController().signal,
  );
}

it('has nothing to collect where nothing was left', async () => {
  expect(await collect({})).toEqual({ files: [] });
});

it('brings plain files home, by the path they had', async () => {
  const { files, cut } = await collect({
    '/workspace/artifacts': [file('a.txt'), { name: 'sub', type: 'directory', size: 0 }],
    '/workspace/artifacts/sub': [file('b.txt')],
  });
  expect([files, cut]).toEqual([
    [
      { name: 'a.txt', size: 1 },
      { name: 'sub/b.txt', size: 1 },
    ],
    undefined,
  ]);
  expect(await readFile(join(directory, 'sub/b.txt'), 'utf8')).toBe('x');
});

it('leaves what the organization has no room for, and says so', async () => {
  let room = 1;
  const storage = {
    begin: async () => {},
    take: async (bytes: number) => (room -= bytes) >= 0,
    takeSnapshot: async () => true,
  };
  const { files, cut } = await collect({ '/workspace/artifacts': [file('a.txt'), file('b.txt')] }, undefined, storage);
  expect([files, cut]).toEqual([
    [{ name: 'a.txt', size: 1 }],
    { count: 1, examples: [{ path: 'b.txt', reason: "the organization's storage is full" }] },
  ]);
});

it('leaves links, pipes, what has gone and what is too much, and says so', async () => {
  const entries: FileEntry[] = [
    { name: 'link', type: 'symlink', size: 0 },
    { name: 'pipe', type: 'other', size: 0 },
    file('gone'),
    file('huge', ARTIFACT_CAPS.fileBytes + 1),
  ];
  const { files, cut } = await collect({ '/workspace/artifacts': entries }, () => {
    throw new AppError('not_found');
  });
  expect(files).toEqual([]);
  expect(cut?.count).toBe(4);
  expect(cut?.examples.map(({ path }) => path)).toEqual(['link', 'pipe', 'gone', 'huge']);
});

it('stops at the number of files, and names some of what it left', async () => {
  const { files, cut } = await collect({
    '/workspace/artifacts': Array.from({ length: ARTIFACT_CAPS.files + 50 }, (_, at) => file(`f${at}`)),
  });
  expect([files.length, cut?.count, cut?.examples.length]).toEqual([ARTIFACT_CAPS.files, 50, ARTIFACT_CAPS.named]);
});

it('counts what it left beyond the entries that it considers', async () => {
  const many = ARTIFACT_CAPS.looked + 5_000;
  const { files, cut } = await collect({
    '/workspace/artifacts': [
      ...Array.from({ length: many }, (_, at) => file(`f${at}`)),
      { name: 'sub', type: 'directory', size: 0 },
    ],
    '/workspace/artifacts/sub': [file('one more')],
  });
  expect([files.length, cut?.count, cut?.atLeast]).toEqual([ARTIFACT_CAPS.files, many + 1 - files.length, undefined]);
});

it('says where it gave up counting', async () => {
  const { files, cut } = await collect({
    '/workspace/artifacts': Array.from({ length: ARTIFACT_CAPS.counted + 1 }, (_, at) => file(`f${at}`)),
  });
  expect(cut).toMatchObject({ count: ARTIFACT_CAPS.counted - files.length, atLeast: true });
});

it('stops where directories lie too deep', async () => {
  const files: Files = {};
  let path = '/workspace/artifacts';
  for (let depth = 0; depth < 20; depth++) {
    files[path] = [{ name: 'd', type: 'directory', size: 0 }];
    path += '/d';
  }
  expect((await collect(files)).cut?.count).toBe(1);
});

it('does not take a controller that cannot be asked for an empty directory', async () => {
  await expect(
    collect({ '/workspace/artifacts': [file('a')] }, () => {
      throw new AppError('unavailable');
    }),
  ).rejects.toThrow('unavailable');
});

it('leaves what cannot be kept beside the files of an earlier attempt', async () => {
  await collect({ '/workspace/artifacts': [file('a')] });
  const { files, cut } = await collect({
    '/workspace/artifacts': [{ name: 'a', type: 'directory', size: 0 }, file('c')],
    '/workspace/artifacts/a': [file('b')],
  });
  expect([files, cut?.examples.map(({ path }) => path)]).toEqual([[{ name: 'c', size: 1 }], ['a/b']]);
});
