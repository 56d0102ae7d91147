// Tells processes which tasks they have: one that was given over a stream that broke is held by no process. What
// another replica has settled is forgotten here once it is missing twice in a row: one that is missing once may only
// just have been handed over.
import type { Database } from '../store/database.ts';
import { findHeld } from './store/stream-rows.ts';
import { throughIndexes } from './store/through-indexes.ts';
import type { LocalStream, LocalStreams } from './streams/local-streams.ts';

export function createHeldComparison(db: Database, streams: LocalStreams): () => Promise<void> {
  const missed = new Map<string, ReadonlySet<string>>();

  function forgetSettled({ id, held }: LocalStream, stored: ReadonlySet<string>): void {
    const missing = new Set([...held].filter((task) => !stored.has(task)));
    for (const task of missing) if (missed.get(id)?.has(task)) held.delete(task);
    missed.set(id, missing);
  }

  return async () => {
    const leasing = streams.all().filter(({ leaseMs }) => leaseMs !== undefined);
    for (const id of missed.keys()) if (!leasing.some((stream) => stream.id === id)) missed.delete(id);
    if (leasing.length === 0) return;
    const pids = leasing.map(({ pid }) => pid);
    const held = await throughIndexes(db, (tx) => findHeld(tx, pids));
    for (const stream of leasing) {
      const tasks = held.filter(({ pid }) => pid === stream.pid).map(({ id, version }) => ({ id, version }));
      stream.send({ kind: 'held', head: {}, data: { tasks } });
      forgetSettled(stream, new Set(tasks.map(({ id }) => id)));
    }
  };
}
