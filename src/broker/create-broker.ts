// A replica of the broker, put together: requests in, messages out over the streams that are connected to it.
import { newId } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { Database } from '../store/database.ts';
import { openListener } from '../store/listen.ts';
import { type ConnectStream, createConnectStream } from './connect-stream.ts';
import { flushEnds, PROCESS_LOST_AFTER_MS, runMaintenance } from './run-maintenance.ts';
import { type Answer, type Envelope, parseAsk } from './protocol/protocol.ts';
import type { BrokerFigures, WaitingTask } from './protocol/figures.ts';
import { readFigures, readWaiting } from './store/read-figures.ts';
import { forgetReplica } from './store/replica.ts';
import { createRunner } from './run-steps.ts';
import { createLocalStreams } from './streams/local-streams.ts';
import { createBell, type Bell } from './store/tell-replicas.ts';

export interface Broker {
  readonly replica: string;
  answer(envelope: Pick<Envelope, 'kind' | 'data'>): Promise<Answer>;
  /**
   * Opens a stream; the answer ends it. A stream of the same process that is still open here is ended first. One that
   * is given its tasks with their leases is told, now and then again, which ones the broker takes to be in its hands:
   * a message may have been lost with the stream before. A process that is not heard of is refused until it is.
   */
  readonly connect: ConnectStream;
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
  const maintenance = await runMaintenance({
    db,
    replica,
    runner,
    streams,
    endedStreams,
    retentionMs,
    tell,
    log,
    lostAfterMs,
    warmUpMs,
  });
  bell = createBell({
    db,
    listener,
    replica,
    log,
    isAlone: () => maintenance.live.every((id) => id === replica),
    hear: (queues) => runner.look(queues ?? streams.queues()),
  });

  const connect = createConnectStream({
    db,
    replica,
    streams,
    endedStreams,
    findLostAfterMs: () => (maintenance.hearing.isReliable ? lostAfterMs : undefined),
    look: (queues) => runner.look(queues),
  });

  return {
    replica,
    async answer(envelope) {
      const parsed = parseAsk(envelope);
      return 'refusal' in parsed ? parsed.refusal : runner.submit(parsed.ask);
    },
    connect,
    figures: () => readFigures(db, { replica, leads: maintenance.leads, stepsWaiting: runner.waiting }),
    waiting: (origin) => readWaiting(db, origin),
    async close() {
      for (const stream of streams.all()) stream.end();
      await runner.close();
      await maintenance.close();
      bell.close();
      await listener.close();
      await flushEnds(db, endedStreams).catch(() => {});
      await forgetReplica(db, replica).catch(() => {});
    },
  };
}
