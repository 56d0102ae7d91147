import { join } from 'node:path';
import { saveCheckpoint } from '../../receipts/save-checkpoint.ts';
import type { Engine } from '../../runs/delivery/engine.ts';
import type { ControlDeps } from './control-deps.ts';

/** A checkpoint on demand, in addition to those that the api role writes periodically. */
export function recordCheckpoint({ db, dataDirectory }: ControlDeps): Engine {
  return async () => {
    const checkpoint = await saveCheckpoint(db, join(dataDirectory, 'checkpoints'));
    return checkpoint
      ? { written: true, checkpoint: checkpoint.id, streams: checkpoint.streams, root: checkpoint.root.toString('hex') }
      : { written: false };
  };
}
