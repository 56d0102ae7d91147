import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readLiveOutput } from '../reading/read-live-output.ts';
import { OUTPUT_FILE, showOutput } from './live-output.ts';
import { RUN_LOG } from './run-log.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'service-live-output-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const log = { warn: vi.fn(), error: vi.fn() };
const shown = (test: (text: string) => boolean): Promise<void> =>
  vi.waitFor(
    async () => expect((await readLiveOutput(directory))?.text).toSatisfy((text) => test(String(text))),
    10_000,
  );

it('shows what a command has printed while it runs, and nothing once it has ended', async () => {
  const show = showOutput(directory, 7, log);
  show.add('one\n');
  await shown((text) => text === 'one\n');
  show.add('two\n');
  await shown((text) => text === 'one\ntwo\n');
  expect(await readLiveOutput(directory)).toEqual({ event: 7, from: 0, text: 'one\ntwo\n' });
  await show.end();
  expect(await readdir(join(directory, RUN_LOG))).toEqual([]);
});

it('keeps the end of ten megabytes, and says how much came before', async () => {
  const show = showOutput(directory, 7, log);
  const piece = `${'x'.repeat(32_767)}\n`;
  for (let at = 0; at < 320; at++) show.add(piece);
  show.add('the end');
  await shown((text) => text.endsWith('the end'));
  const { from, text } = (await readLiveOutput(directory)) ?? { from: 0, text: '' };
  expect([text.length, from + text.length]).toEqual([16_000, 320 * 32_768 + 7]);
  await show.end();
});

it('writes nothing of a command that ends before anyone could look', async () => {
  const show = showOutput(directory, 7, log);
  show.add('quick');
  await show.end();
  expect(await readdir(directory)).toEqual([]);
});

it('shows nothing where no event was recorded, or where the file cannot be written', async () => {
  const unrecorded = showOutput(directory, undefined, log);
  unrecorded.add('never shown');
  await unrecorded.end();
  await writeFile(join(directory, RUN_LOG), 'a file where the directory has to be');
  const failing = showOutput(directory, 7, log);
  failing.add('not writable');
  await vi.waitFor(() => expect(log.warn).toHaveBeenCalledOnce(), 10_000);
  await failing.end();
  expect(await readLiveOutput(directory)).toBeUndefined();
});

it.each(['', '{"event": 1', '{"event": -1, "from": 0, "text": "x"}', '{"event": 1, "from": 0}'])(
  'takes %j for no output',
  async (text) => {
    await mkdir(join(directory, RUN_LOG));
    await writeFile(join(directory, OUTPUT_FILE), text);
    expect(await readLiveOutput(directory)).toBeUndefined();
  },
);
