import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import { systemClock } from '../base/clock.ts';
import type { Database } from '../store/database.ts';
import { checkpointNote } from './checkpoint.ts';
import { createReceiptWriter } from './receipt-writer.ts';
import { saveCheckpoint } from './save-checkpoint.ts';

let db: Database;
let directory: string;
beforeAll(async () => {
  db = await openTestDatabase();
  directory = await mkdtemp(join(tmpdir(), 'service-checkpoints-'));
});
afterAll(async () => {
  await db.close();
  await rm(directory, { recursive: true });
});

it('never replaces the file of a checkpoint, also when the database gives its number again', async () => {
  const [first, second] = ['000000000001.txt', '000000000002.txt'];
  await writeFile(join(directory, first), 'of a database that was set back');
  const writer = createReceiptWriter({ db, clock: systemClock });
  const save = async () => {
    await writer.append('connect/checkpoints', { kind: 'tool.called', actor: 'user:one', body: {} });
    const saved = await saveCheckpoint(db, directory);
    if (!saved) throw new Error('expected a checkpoint');
    return saved;
  };
  const again = await save();
  expect(again.id).toBe(1);
  const other = `000000000001-${again.root.toString('hex').slice(0, 16)}.txt`;
  const next = await save();
  expect((await readdir(directory)).toSorted()).toEqual([other, first, second].toSorted());
  const read = (file: string): Promise<string> => readFile(join(directory, file), 'utf8');
  expect(await read(first)).toBe('of a database that was set back');
  expect([await read(other), await read(second)]).toEqual([checkpointNote(again), checkpointNote(next)]);
});
