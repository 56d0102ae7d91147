import { checkpointNote, writeCheckpoint } from '../../receipts/checkpoint.ts';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine } from '../engine.ts';
import type { ControlDeps } from './control-deps.ts';

/** A checkpoint on demand, beside those that the api role writes on its own timer. */
export function recordCheckpoint({ db, dataDirectory }: ControlDeps): Engine {
  return async () => {
    const checkpoint = await writeCheckpoint(db, new Date());
    if (!checkpoint) return { written: false };
    const directory = join(dataDirectory, 'checkpoints');
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const file = join(directory, `${String(checkpoint.id).padStart(12, '0')}.txt`);
    await writeFile(`${file}.new`, checkpointNote(checkpoint), { mode: 0o600 });
    await rename(`${file}.new`, file);
    return { written: true, checkpoint: checkpoint.id, streams: checkpoint.streams, root: checkpoint.root.toString('hex') };
  };
}
