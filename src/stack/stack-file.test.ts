import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findStackState, openStackFile, type StackState } from './stack-file.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'service-stack-file-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const EMPTY: StackState = { url: '', publicUrl: '', startedAt: '', pid: 0, databaseUrl: '', schema: '', parts: {} };

describe('the file of a stack', () => {
  it('holds a change by the time its update is over, also while an earlier one is being written', async () => {
    const path = join(directory, 'stack.json');
    let pid = 0;
    const file = openStackFile(path, () => ({ ...EMPTY, pid }), () => {});
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
    const said: string[] = [];
    const missing = join(directory, 'not-there', 'stack.json');
    const file = openStackFile(missing, () => EMPTY, (line) => void said.push(line));
    await file.update();
    await file.update();
    expect(said).toEqual([expect.stringContaining('cannot write'), expect.stringContaining('cannot write')]);
  });

  it('does not come back once it is removed', async () => {
    const path = join(directory, 'removed.json');
    const file = openStackFile(path, () => EMPTY, () => {});
    void file.update();
    void file.update();
    await file.remove();
    await file.update();
    expect(await findStackState(path)).toBeUndefined();
  });
});
