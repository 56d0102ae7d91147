// Assembles a replica of the broker: requests in, messages out over the streams that are connected to it.
import { newId } from '../base/ids.ts';
import type { Log } from '../telemetry/log.ts';
import type { Database } from '../store/database.ts';
import { openListener } from '../store/listen.ts';
import { type ConnectStream, createConnectStream } from './connect-stream.ts';
import { flushEnds, PROCESS_LOST_AFTER_MS, runMaintenance } from './run-maintenance.ts';
import { type BrokerAnswer, type Envelope, parseRequest } from './protocol/protocol.ts';
import type { BrokerFigures, WaitingTask } from './protocol/figures.ts';
import { readFigures, readWaiting } from './store/read-figures.ts';
import { forgetReplica } from './store/replica.ts';
import { createRunner } from './run-steps.ts';
import { createLocalStreams } from './streams/local-streams.ts';
import { createReplicaNotifier, type ReplicaNotifier } from './store/notify-replicas.ts';

export interface Broker {
  readonly replica: string;
  answer(envelope: Pick<Envelope, 'kind' | 'data'>): Promise<BrokerAnswer>;
  /**
   * Opens a stream and returns the function that ends it. A stream of the same process that is still open here is ended
   * first. A stream that gets its tasks with their leases is sent the list of tasks that it holds, now and periodically,
   * because messages may have been lost with the previous stream. A process without a recent heartbeat is refused.
   */
  readonly connect: ConnectStream;
  figures(): Promise<BrokerFigures>;
  /** The waiting tasks of one origin, and why they wait. */
  waiting(origin: string): Promise<WaitingTask[]>;
  close(): Promise<void>;
}

export interface BrokerOptions {
  readonly db: Database;
  readonly log: Log;
  readonly retentionMs: number;
  readonly warmUpMs?: number;
  /** A process without a heartbeat for this long loses the tasks that it holds. */
  readonly lostAfterMs?: number;
  /** Percent of a group's places that one tenant may have while others wait; 100 by default: tenants only take turns. */
  readonly sharePercent?: number;
}

export async function createBroker({
  db,
  log,
  retentionMs,
  warmUpMs,
  lostAfterMs = PROCESS_LOST_AFTER_MS,
  sharePercent = 100,
}: BrokerOptions): Promise<Broker> {
  const replica = newId('brk');
  const streams = createLocalStreams();
  const endedStreams = new Set<string>();
  const listener = openListener(db, log);
  let notifier: ReplicaNotifier | undefined;
  const notifyReplicas = (queues: Iterable<string>): void => notifier?.notify(queues);
  const runner = createRunner({ db, streams, sharePercent, notifyReplicas, log });
  const maintenance = await runMaintenance({
    db,
    replica,
    runner,
    streams,
    endedStreams,
    retentionMs,
    notifyReplicas,
    log,
    lostAfterMs,
    warmUpMs,
  });
  notifier = createReplicaNotifier({
    db,
    listener,
    replica,
    log,
    isAlone: () => maintenance.live.every((id) => id === replica),
    onNotified: (queues) => runner.look(queues ?? streams.queues()),
  });

  const connect = createConnectStream({
    db,
    replica,
    streams,
    endedStreams,
    findLostAfterMs: () => (maintenance.liveness.isReliable() ? lostAfterMs : undefined),
    look: (queues) => runner.look(queues),
  });

  return {
    replica,
    async answer(envelope) {
      const parsed = parseRequest(envelope);
      return 'refusal' in parsed ? parsed.refusal : runner.submit(parsed.request);
    },
    connect,
    figures: () => readFigures(db, sharePercent, { replica, leads: maintenance.leads, stepsWaiting: runner.waiting }),
    waiting: (origin) => readWaiting(db, sharePercent, origin),
    async close() {
      for (const stream of streams.all()) stream.end();
      await runner.close();
      await maintenance.close();
      notifier.close();
      await listener.close();
      await flushEnds(db, endedStreams).catch(() => {});
      await forgetReplica(db, replica).catch(() => {});
    },
  };
}
