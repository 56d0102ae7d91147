import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { placeSandboxSocket } from './place-sandbox-socket.ts';

const LONG = `/${'a'.repeat(120)}`;

it('leaves the socket in the data directory where its path is short enough, and where the environment names another', async () => {
  expect((await placeSandboxSocket('/data', {})).environment).toEqual({});
  const given = { SERVICE_SANDBOX_URL: 'unix:/run/s.sock' };
  expect((await placeSandboxSocket(LONG, given)).environment).toBe(given);
});

it('puts it into a private directory under a longer path, counted in bytes, and removes that again', async () => {
  const temporary = await mkdtemp(join(tmpdir(), 'service-socket-'));
  try {
    for (const directory of [LONG, `/${'ä'.repeat(60)}`]) {
      const { environment, remove } = await placeSandboxSocket(directory, { HOME: '/h' }, temporary);
      const [, path = ''] = environment.SERVICE_SANDBOX_URL?.split('unix:') ?? [];
      expect(environment.HOME).toBe('/h');
      expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
      await remove();
    }
    expect(await readdir(temporary)).toEqual([]);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
});
