// Opens and ends the poll streams of this replica. The end of a stream is recorded at once or, if that fails, by the next
// maintenance run: an unrecorded end would keep leases for ever.
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Database } from '../store/database.ts';
import type { StreamTerms } from './protocol/messages.ts';
import { flushEnds } from './run-maintenance.ts';
import { findHeld, isSilent, recordStreams } from './store/stream-rows.ts';
import { type LocalStream, type LocalStreams, queuesOf } from './streams/local-streams.ts';

export interface ConnectDeps {
  readonly db: Database;
  readonly replica: string;
  readonly streams: LocalStreams;
  readonly endedStreams: Set<string>;
  /** A process without a heartbeat for this long is refused; undefined while missing heartbeats mean nothing. */
  readonly findLostAfterMs: () => number | undefined;
  readonly look: (queues: Iterable<string>) => void;
}

export type ConnectStream = (terms: StreamTerms, wire: Pick<LocalStream, 'send' | 'end'>) => Promise<() => void>;

export function createConnectStream(deps: ConnectDeps): ConnectStream {
  const { db, replica, streams, endedStreams, findLostAfterMs, look } = deps;
  const findStreamOf = (terms: StreamTerms): LocalStream | undefined => streams.find(queuesOf(terms)[1], terms.pid);

  function forget(stream: LocalStream): void {
    streams.remove(stream);
    endedStreams.add(stream.id);
    flushEnds(db, endedStreams).catch(() => {});
  }

  function endStreamOf(terms: StreamTerms): void {
    const before = findStreamOf(terms);
    if (!before) return;
    forget(before);
    before.end();
  }

  return async (terms, wire) => {
    const stream: LocalStream = { ...terms, id: newId('str'), held: new Set(), ...wire };
    const lostAfterMs = findLostAfterMs();
    if (lostAfterMs !== undefined && (await isSilent(db, terms.pid, lostAfterMs)))
      throw new AppError('unavailable', { process: 'silent' });
    await recordStreams(db, replica, [stream]);
    endStreamOf(terms);
    if (terms.leaseMs !== undefined) {
      const tasks = (await findHeld(db, [terms.pid])).map(({ id, version }) => ({ id, version }));
      endStreamOf(terms);
      for (const { id } of tasks) stream.held.add(id);
      stream.send({ kind: 'held', head: {}, data: { tasks } });
    }
    streams.add(stream);
    look(queuesOf(stream));
    let open = true;
    return () => {
      if (open && findStreamOf(terms) === stream) forget(stream);
      open = false;
    };
  };
}
