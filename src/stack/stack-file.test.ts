import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WriteWatch } from './log-file.ts';
import { findStackState, openStackFile, type StackState } from './stack-file.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'service-stack-file-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const UNWATCHED: WriteWatch = { failed: () => {}, wrote: () => {} };
const EMPTY: StackState = { url: '', publicUrl: '', startedAt: '', pid: 0, databaseUrl: '', schema: '', parts: {} };

describe('the file of a stack', () => {
  it('holds a change by the time its update is over, also while an earlier one is being written', async () => {
    const path = join(directory, 'stack.json');
    let pid = 0;
    const file = openStackFile(path, () => ({ ...EMPTY, pid }), UNWATCHED);
    const changes = Array.from({ length: 10 }, async (_, turns) => {
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
      const mine = ++pid;
      await file.update();
      expect((await findStackState(path))?.pid).toBeGreaterThanOrEqual(mine);
    });
    await Promise.all(changes);
    expect((await findStackState(path))?.pid).toBe(10);
  });

  it('says what cannot be written, and tries again at the next change', async () => {
    const heard: unknown[] = [];
    const missing = join(directory, 'not-there', 'stack.json');
    const watch: WriteWatch = {
      failed: (path, error) => heard.push([path, (error as NodeJS.ErrnoException).code]),
      wrote: (path) => heard.push(path),
    };
    const file = openStackFile(missing, () => EMPTY, watch);
    await file.update();
    await file.update();
    await mkdir(dirname(missing));
    await file.update();
    expect(heard).toEqual([[missing, 'ENOENT'], [missing, 'ENOENT'], missing]);
  });

  it('does not come back once it is removed', async () => {
    const path = join(directory, 'removed.json');
    const file = openStackFile(path, () => EMPTY, UNWATCHED);
    void file.update();
    void file.update();
    await file.remove();
    await file.update();
    expect(await findStackState(path)).toBeUndefined();
  });
});
