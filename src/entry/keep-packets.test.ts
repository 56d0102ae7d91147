import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { quiet } from '../../test/support/database.ts';
import { poll } from '../../test/support/poll.ts';
import { keepPackets } from './keep-packets.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'service-packets-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

it('names the runs that a worker is busy with, until they end', async () => {
  const directory = join(root, 'packets');
  const during = keepPackets(directory, { role: 'worker-chat', log: quiet });
  const end = Promise.withResolvers<string>();
  const runs = [during('job_1', () => end.promise), during('job_2', () => end.promise)];
  await poll(async () => (await readdir(directory).catch(() => [])).length === 2);
  const text = await poll(async () => (await readFile(join(directory, 'job_1.json'), 'utf8')) || undefined);
  expect(JSON.parse(text)).toEqual({
    job: 'job_1',
    role: 'worker-chat',
    pid: process.pid,
    since: expect.stringMatching(/Z$/),
  });
  end.resolve('done');
  expect(await Promise.all(runs)).toEqual(['done', 'done']);
  await expect(during('job_3', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await readdir(directory)).toEqual([]);
});

it('does not stop a run where it cannot be written', async () => {
  await writeFile(join(root, 'file'), '');
  const during = keepPackets(join(root, 'file'), { role: 'worker-chat', log: quiet });
  expect(await during('job_1', async () => 'done')).toBe('done');
});
