// A replica of the broker, put together: requests in, messages out over the streams that are connected to it.
import { newId } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { Database } from '../store/database.ts';
import { openListener } from '../store/listen.ts';
import { AppError } from '../base/errors.ts';
import { flushEnds, keepHouse, PROCESS_LOST_AFTER_MS } from './run-maintenance.ts';
import { type Answer, type Envelope, parseAsk } from './protocol/protocol.ts';
import { type BrokerFigures, readFigures, type WaitingTask, readWaiting } from './store/read-figures.ts';
import { forgetReplica } from './store/replica.ts';
import { createRunner } from './run-steps.ts';
import { findHeld, isSilent, recordStreams } from './store/stream-rows.ts';
import { createLocalStreams, type LocalStream, queuesOf, type StreamTerms } from './streams/local-streams.ts';
import { createBell, type Bell } from './store/tell-replicas.ts';

export interface Broker {
  readonly replica: string;
  answer(envelope: Pick<Envelope, 'kind' | 'data'>): Promise<Answer>;
  /**
   * Opens a stream; the answer ends it. A stream of the same process that is still open here is ended first. One that
   * is given its tasks with their leases is told, now and then again, which ones the broker takes to be in its hands:
   * a message may have been lost with the stream before. A process that is not heard of is refused until it is.
   */
  connect(terms: StreamTerms, wire: Pick<LocalStream, 'send' | 'end'>): Promise<() => void>;
  figures(): Promise<BrokerFigures>;
  /** The tasks of one origin that wait, and why. */
  waiting(origin: string): Promise<WaitingTask[]>;
  close(): Promise<void>;
}

export interface BrokerOptions {
  readonly db: Database;
  readonly log: Log;
  readonly retentionMs: number;
  readonly warmUpMs?: number;
  /** A process that has not been heard of for so long loses what it holds. */
  readonly lostAfterMs?: number;
}

export async function createBroker({
  db,
  log,
  retentionMs,
  warmUpMs,
  lostAfterMs = PROCESS_LOST_AFTER_MS,
}: BrokerOptions): Promise<Broker> {
  const replica = newId('brk');
  const streams = createLocalStreams();
  const endedStreams = new Set<string>();
  const listener = openListener(db, log);
  let bell: Bell | undefined;
  const tell = (queues: Iterable<string>): void => bell?.tell(queues);
  const runner = createRunner({ db, streams, tell, log });
  const house = await keepHouse({
    db,
    replica,
    runner,
    streams,
    endedStreams,
    retentionMs,
    tell,
    log,
    lostAfterMs,
    ...(warmUpMs === undefined ? {} : { warmUpMs }),
  });
  bell = createBell({
    db,
    listener,
    replica,
    log,
    isAlone: () => house.live.every((id) => id === replica),
    hear: (queues) => runner.look(queues ?? streams.queues()),
  });

  function forget(stream: LocalStream): void {
    streams.remove(stream);
    endedStreams.add(stream.id);
    // Should it fail, the next tick writes it down.
    flushEnds(db, endedStreams).catch(() => {});
  }

  function endStreamOf(terms: StreamTerms): void {
    const before = streams.find(queuesOf(terms)[1], terms.pid);
    if (!before) return;
    forget(before);
    before.end();
  }

  return {
    replica,
    async answer(envelope) {
      const parsed = parseAsk(envelope);
      return 'refusal' in parsed ? parsed.refusal : runner.submit(parsed.ask);
    },
    async connect(terms, wire) {
      const stream: LocalStream = { ...terms, id: newId('str'), held: new Set(), ...wire };
      if (house.hearing.isReliable && (await isSilent(db, terms.pid, lostAfterMs)))
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
      runner.look(queuesOf(stream));
      let open = true;
      return () => {
        if (open && streams.find(queuesOf(terms)[1], terms.pid) === stream) forget(stream);
        open = false;
      };
    },
    figures: () => readFigures(db, { replica, leads: house.leads, stepsWaiting: runner.waiting }),
    waiting: (origin) => readWaiting(db, origin),
    async close() {
      for (const stream of streams.all()) stream.end();
      await runner.close();
      await house.close();
      bell.close();
      await listener.close();
      await flushEnds(db, endedStreams).catch(() => {});
      await forgetReplica(db, replica).catch(() => {});
    },
  };
}
