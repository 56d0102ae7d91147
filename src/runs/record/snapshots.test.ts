import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { mkdtemp, readdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RUN_LOG } from './run-log.ts';
import {
  findSnapshot,
  hasSnapshot,
  isOutgrown,
  openSnapshotFile,
  recordSnapshot,
  removeSnapshot,
  type SnapshotFile,
  writeSnapshotFile,
} from './snapshots.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'service-snapshots-'));
});
afterEach(async () => {
  endCrash();
  await rm(directory, { recursive: true, force: true });
});

/** From the nth change of the disk on nothing reaches it: as if the process had been killed there. */
function crashAt(step: number): { readonly reached: () => boolean } {
  let steps = 0;
  const dies = (): boolean => steps++ >= step;
  const die = (): never => {
    throw new Error('crashed');
  };
  const { open, ...others } = { open: files.open, mkdir: files.mkdir, rename: files.rename, rm: files.rm };
  for (const [name, real] of Object.entries(others) as ['rm', typeof files.rm][])
    vi.spyOn(files, name).mockImplementation(async (...given) => (dies() ? die() : real(...given)));
  vi.spyOn(files, 'open').mockImplementation(async (...given) => {
    if (dies()) die();
    const file = await open(...given);
    const { writeFile: write, sync } = file;
    file.writeFile = async (data) => {
      if (!dies()) return write.call(file, data);
      await write.call(file, (data as string | Buffer).slice(0, 5));
      return die();
    };
    file.sync = async () => (dies() ? die() : sync.call(file));
    return file;
  });
  syncBuiltinESMExports();
  return { reached: () => steps > step };
}

function endCrash(): void {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
}

const at = (name = ''): string => join(directory, RUN_LOG, 'snapshot', name);
async function* of(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}
const write = (text: string): Promise<SnapshotFile> => writeSnapshotFile(directory, of(text));

it('is found once it is recorded, with what its archives hold', async () => {
  expect(await findSnapshot(directory)).toBeUndefined();
  const full = await writeSnapshotFile(directory, of('one', ' and more'));
  expect([await findSnapshot(directory), full.bytes]).toEqual([undefined, 12]);
  const snapshot = { after: 'call_1', writer: 3, files: [full] };
  expect(await recordSnapshot(directory, snapshot)).toBe(true);
  expect(await findSnapshot(directory)).toEqual(snapshot);
  expect((await buffer(openSnapshotFile(directory, full))).toString()).toBe('one and more');
});

it('removes what the new manifest does not name, and only then', async () => {
  const [first, second, third] = [await write('1'), await write('2'), await write('3')];
  await recordSnapshot(directory, { after: 'a', writer: 1, files: [first, second] });
  expect((await readdir(at())).toSorted()).toEqual(['manifest.json', first.name, second.name].toSorted());
  expect(await readdir(at())).not.toContain(third.name);
  const next = await write('4');
  await writeFile(at('manifest.json.7.new'), 'half');
  expect((await findSnapshot(directory))?.after).toBe('a');
  await recordSnapshot(directory, { after: 'b', writer: 1, files: [next] });
  expect((await readdir(at())).toSorted()).toEqual(['manifest.json', next.name].toSorted());
});

it('leaves nothing of an archive that breaks off, and the snapshot before as it was', async () => {
  const full = await write('1');
  await recordSnapshot(directory, { after: 'a', writer: 1, files: [full] });
  const broken = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from('half');
    throw new Error('the sandbox is gone');
  };
  await expect(writeSnapshotFile(directory, broken())).rejects.toThrow('the sandbox is gone');
  expect((await readdir(at())).toSorted()).toEqual(['manifest.json', full.name].toSorted());
  expect((await findSnapshot(directory))?.after).toBe('a');
});

it('is the one before or the new one, whole, wherever its writer is killed', async () => {
  const seen = new Set<string | undefined>();
  for (let step = 0, more = true; more; step++) {
    await removeSnapshot(directory);
    const full = await write('of the beginning');
    await recordSnapshot(directory, { after: 'before', writer: 1, files: [full] });
    const crash = crashAt(step);
    try {
      const changes = await write('what changed');
      await recordSnapshot(directory, { after: 'next', writer: 1, files: [full, changes] });
      const again = await write('all of it');
      await recordSnapshot(directory, { after: 'last', writer: 1, files: [again] });
    } catch (error) {
      expect((error as Error).message).toBe('crashed');
    }
    more = crash.reached();
    endCrash();
    const found = await findSnapshot(directory);
    const texts = await Promise.all((found?.files ?? []).map((file) => buffer(openSnapshotFile(directory, file))));
    const whole = { before: ['of the beginning'], next: ['of the beginning', 'what changed'], last: ['all of it'] };
    expect(whole[found?.after as keyof typeof whole]).toEqual(texts.map(String));
    seen.add(found?.after);
  }
  expect([...seen]).toEqual(['before', 'next', 'last']);
});

it('is not overwritten by an attempt that began earlier', async () => {
  const [mine, stale] = [await write('1'), await write('2')];
  await recordSnapshot(directory, { after: 'new', writer: 9, files: [mine] });
  expect(await recordSnapshot(directory, { after: 'old', writer: 5, files: [stale] })).toBe(false);
  expect((await findSnapshot(directory))?.after).toBe('new');
});

const recorded = async (): Promise<SnapshotFile> => {
  const full = await write('archive');
  await recordSnapshot(directory, { after: 'a', writer: 1, files: [full] });
  return full;
};

it.each<[string, (file: SnapshotFile) => Promise<unknown>]>([
  ['lost an archive', ({ name }) => rm(at(name))],
  ['has an archive that was cut', ({ name }) => truncate(at(name), 3)],
  [
    'has a link for an archive',
    async ({ name }) => {
      await rm(at(name));
      await symlink('/etc/passwd', at(name));
    },
  ],
  ['has half a manifest', () => truncate(at('manifest.json'), 20)],
  [
    'names a file elsewhere',
    () =>
      writeFile(
        at('manifest.json'),
        JSON.stringify({ after: 'a', writer: 1, files: [{ name: '../log.ndjson', bytes: 1 }] }),
      ),
  ],
])('is not restored if it %s', async (_what, break_) => {
  await break_(await recorded());
  expect([await findSnapshot(directory), await hasSnapshot(directory)]).toEqual([undefined, true]);
  await removeSnapshot(directory);
  expect([await hasSnapshot(directory), await readdir(join(directory, RUN_LOG))]).toEqual([false, []]);
});

it('is begun again once there are many changes, or they take more than the full archive and 16 MiB', () => {
  const file = (bytes: number): SnapshotFile => ({ name: 'snap', bytes });
  const mib = 1024 * 1024;
  expect(isOutgrown([file(mib), file(17 * mib)])).toBe(false);
  expect(isOutgrown([file(mib), file(17 * mib), file(1)])).toBe(true);
  expect(isOutgrown(Array.from({ length: 31 }, () => file(10)))).toBe(false);
  expect(isOutgrown(Array.from({ length: 32 }, () => file(10)))).toBe(true);
});
