import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { quiet } from '../../test/support/database.ts';
import { AppError } from '../base/errors.ts';
import type { Run } from '../runs/record/run.ts';
import { findSnapshot, recordSnapshot, type SnapshotFile } from '../runs/record/snapshots.ts';
import { findWorkspace, type KeepOptions, keepWorkspace } from './keep-workspace.ts';

let directory: string;
let facts: unknown[];
/** What is asked of the controller. */
let asked: ('full' | 'changes')[];
let sandbox: AbortController;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'service-keep-'));
  facts = [];
  asked = [];
  sandbox = new AbortController();
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** The controller answers each request with the next of these; a number stands for as many bytes. */
function keep(
  answers: (Error | number | string[])[],
  {
    storage,
    renew = async () => {},
    ...more
  }: Partial<KeepOptions> & { storage?: (bytes: number) => Promise<boolean>; renew?: () => Promise<void> } = {},
): (after: string) => Promise<void> {
  return keepWorkspace({
    client: {
      async saveSnapshot(_id, { full }) {
        asked.push(full ? 'full' : 'changes');
        const answer = answers.shift() ?? 10;
        if (answer instanceof Error) throw answer;
        return Readable.from(typeof answer === 'number' ? pieces(answer) : answer.map((text) => Buffer.from(text)));
      },
      renew: async () => (await renew()) as never,
    },
    log: quiet,
    id: 'sbx_1',
    attempt: {
      run: { id: 'job_1', head: { index: 4, hash: Buffer.alloc(32) } } as Run,
      artifacts: async () => directory,
      progress: async (fact) => void facts.push(fact),
      ...(storage === undefined
        ? {}
        : { storage: { begin: async () => {}, take: async () => true, takeSnapshot: storage } }),
    },
    signal: sandbox.signal,
    secrets: [],
    restored: undefined,
    ...more,
  });
}

async function* pieces(bytes: number): AsyncGenerator<Buffer> {
  const piece = Buffer.alloc(1024 * 1024);
  for (let left = bytes; left > 0; left -= piece.length) yield piece.subarray(0, Math.min(left, piece.length));
}

const after = async (): Promise<string | undefined> => (await findSnapshot(directory))?.after;
const MIB = 1024 * 1024;
const broken = (): Error => new AppError('internal');

it('keeps everything after the first step, then what changes, one after another', async () => {
  const save = keep([]);
  await Promise.all(['a', 'b', 'c'].map(save));
  expect(asked).toEqual(['full', 'changes', 'changes']);
  expect(await findSnapshot(directory)).toMatchObject({ after: 'c', writer: 4, files: [{}, {}, {}] });
});

it('begins again once the changes outgrow the beginning', async () => {
  const save = keep([MIB, 18 * MIB]);
  for (const step of ['a', 'b', 'c', 'd']) await save(step);
  expect(asked).toEqual(['full', 'changes', 'full', 'changes']);
  expect(await findSnapshot(directory)).toMatchObject({ after: 'd', files: [{}, {}] });
});

it('goes on with what was restored', async () => {
  await keep([])('a');
  const { files } = (await findSnapshot(directory)) ?? {};
  await keep([], { restored: files })('b');
  expect(asked).toEqual(['full', 'changes']);
  expect(await findSnapshot(directory)).toMatchObject({ after: 'b', files: [files?.[0], {}] });
});

it('makes a full one where the changes cannot be had', async () => {
  const save = keep([10, broken(), 10]);
  await save('a');
  await save('b');
  expect([asked, await after(), facts]).toEqual([['full', 'changes', 'full'], 'b', []]);
});

it('makes a full one where the changes would be too many', async () => {
  const save = keep([400 * MIB, 113 * MIB, 10]);
  await save('a');
  await save('b');
  expect([asked, await after()]).toEqual([['full', 'changes', 'full'], 'b']);
});

it.each<[string, Parameters<typeof keep>]>([
  ['too_large', [[513 * MIB]]],
  ['failed', [[broken()]]],
  ['storage_full', [[10], { storage: async (bytes) => bytes === 0 }]],
  ['holds_secret', [[['the sec', 'ret of us']], { secrets: [Buffer.from('secret of')] }]],
])('ends where a snapshot is not kept (%s), and says so once', async (reason, parameters) => {
  await keep([])('before');
  asked.length = 0;
  const save = keep(...parameters);
  await save('a');
  await save('b');
  expect([asked, await after(), facts]).toEqual([['full'], undefined, [{ type: 'snapshot.skipped', reason }]]);
});

it('does not look for secrets that are as short as words', async () => {
  await keep([['a word']], { secrets: [Buffer.from('word')] })('a');
  expect(await after()).toBe('a');
});

it('counts what is kept against the storage of the organization, and what is not kept no more', async () => {
  const taken: number[] = [];
  const storage = async (bytes: number): Promise<boolean> => (taken.push(bytes), true);
  const save = keep([100, 20, broken(), broken()], { storage });
  await save('a');
  await save('b');
  await save('c');
  expect(taken).toEqual([100, 120, 0]);
});

it('throws if the sandbox is lost, and leaves the last snapshot to the next attempt', async () => {
  const gone = new AppError('sandbox_not_found');
  await keep([])('a');
  const save = keep([broken()], { renew: () => Promise.reject(gone) });
  await expect(save('b')).rejects.toBe(gone);
  expect([await after(), facts]).toEqual(['a', []]);
});

it('says nothing and keeps nothing once the run belongs to a later attempt', async () => {
  const save = keep([]);
  await save('a');
  const { files } = (await findSnapshot(directory)) ?? { files: [] as SnapshotFile[] };
  await recordSnapshot(directory, { after: 'theirs', writer: 7, files });
  await save('b');
  await save('c');
  expect([asked, await after(), facts]).toEqual([['full', 'changes'], 'theirs', []]);
});

it('is not begun for a run that has ended', async () => {
  const ended = new Error('the run is aborted');
  sandbox.abort(ended);
  await expect(keep([])('a')).rejects.toBe(ended);
  expect(asked).toEqual([]);
});

it('belongs to the attempt that begins with it: an earlier one that is still at work changes nothing', async () => {
  const save = keep([]);
  await save('a');
  const run = { id: basename(directory), head: { index: 9, hash: Buffer.alloc(32) } } as Run;
  const found = await findWorkspace({ run, artifacts: async () => directory }, run.id);
  await save('late');
  expect(await findSnapshot(directory)).toMatchObject({ after: 'a', writer: 9, files: found?.snapshot.files });
  expect(facts).toEqual([]);
});
