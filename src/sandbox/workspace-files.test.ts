import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WorkspaceFiles } from './driver.ts';
import { needs } from '../../test/support/needs.ts';
import { workspaceFiles } from './workspace-files.ts';

let directory: string;
let files: WorkspaceFiles;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'service-files-'));
  await mkdir(join(directory, 'workspace'));
  await writeFile(join(directory, 'outside'), 'not yours');
  files = workspaceFiles(join(directory, 'workspace'), undefined);
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe('files of a workspace', needs('linux'), () => {
  it('are written with the directories above them, and read back', async () => {
    await files.write('a/b/c.bin', Buffer.from([0, 1, 255]));
    expect(await files.read('/workspace/a/b/c.bin', 10)).toEqual(Buffer.from([0, 1, 255]));
    await files.write('a/b/c.bin', Buffer.from('other'));
    expect((await files.read('a//b/./c.bin', 10)).toString()).toBe('other');
  });

  it('are listed in pages, in the order of their names', async () => {
    for (const name of ['b', 'a', 'd', 'c']) await files.write(name, Buffer.from(name));
    const first = await files.list('', { limit: 3 });
    expect(first.entries.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(await files.list('', { after: first.cursor, limit: 3 })).toEqual({
      entries: [{ name: 'd', type: 'file', size: 1 }],
    });
  });

  it('are not read beyond the size that is asked for', async () => {
    await files.write('big', Buffer.alloc(100));
    await expect(files.read('big', 99)).rejects.toThrow('request_too_large');
  });

  it.each(['link', 'up/outside', 'up/workspace/real', 'dangling'])('do not lead through a link: %s', async (path) => {
    await symlink(join(directory, 'outside'), join(directory, 'workspace', 'link'));
    await symlink('..', join(directory, 'workspace', 'up'));
    await symlink('/nowhere', join(directory, 'workspace', 'dangling'));
    await files.write('real', Buffer.from('mine'));
    await expect(files.read(path, 100)).rejects.toThrow(/invalid_request|not_found/);
    expect((await files.find('link'))?.type).toBe('symlink');
  });

  it('replace a link that stands in their place', async () => {
    await symlink(join(directory, 'outside'), join(directory, 'workspace', 'link'));
    await files.write('link', Buffer.from('mine'));
    expect(await readFile(join(directory, 'outside'), 'utf8')).toBe('not yours');
    expect((await files.read('link', 10)).toString()).toBe('mine');
  });

  it.each(['../outside', '/etc/passwd', 'a/../../outside', 'a\0b', 'x'.repeat(300), Array(100).fill('d').join('/')])(
    'have no such path: %j',
    async (path) => {
      await expect(files.read(path, 10)).rejects.toThrow('invalid_request');
      await expect(files.write(path, Buffer.from('x'))).rejects.toThrow('invalid_request');
    },
  );

  it('are not there when they are not, and a directory is none', async () => {
    expect(await files.find('none')).toBeUndefined();
    expect(await files.find('')).toMatchObject({ type: 'directory' });
    await expect(files.read('none', 10)).rejects.toThrow('not_found');
    await expect(files.read('', 10)).rejects.toThrow('invalid_request');
    await expect(files.write('', Buffer.from('x'))).rejects.toThrow('invalid_request');
  });
});
