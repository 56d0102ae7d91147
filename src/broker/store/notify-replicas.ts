// Notifies the other replicas. PostgreSQL takes a global lock for notifications, so they are collected for a moment, and
// none is sent while this replica is alone. A lost one only delays work until the next periodic check.
import type { Log } from '../../telemetry/log.ts';
import type { Database } from '../../store/database.ts';
import { type Listener, notify } from '../../store/listen.ts';

const TOPIC = 'broker';
const PAUSE_MS = 10;
const QUEUES_MAX = 50;
/** After a notification its sender counts as live for this long; by then it is in the table of replicas. */
const SENDER_LIVE_MS = 5_000;

export interface ReplicaNotifier {
  /** Something in these queues may be another replica's to deliver. */
  notify(queues: Iterable<string>): void;
  close(): void;
}

interface Note {
  readonly from?: string;
  /** Absent: all queues. */
  readonly queues?: readonly string[];
}

export interface NotifierDeps {
  readonly db: Database;
  readonly listener: Listener;
  readonly replica: string;
  readonly log: Log;
  readonly isAlone: () => boolean;
  /** Called with the queues to check; undefined means all. */
  readonly onNotified: (queues: readonly string[] | undefined) => void;
}

export function createReplicaNotifier({
  db,
  listener,
  replica,
  log,
  isAlone,
  onNotified,
}: NotifierDeps): ReplicaNotifier {
  const collected = new Set<string>();
  let heardAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  const stop = listener.subscribe(TOPIC, (heard) => {
    const { from, queues } = heard.missed ? {} : (JSON.parse(heard.value) as Note);
    if (from === replica) return;
    heardAt = performance.now();
    onNotified(queues);
  });

  function sendCollected(): void {
    timer = undefined;
    const queues = [...collected];
    collected.clear();
    if (isAlone() && performance.now() - heardAt > SENDER_LIVE_MS) return;
    const text = JSON.stringify({ from: replica, queues } satisfies Note);
    send(
      queues.length <= QUEUES_MAX && Buffer.byteLength(text) < 7_000
        ? text
        : JSON.stringify({ from: replica } satisfies Note),
    );
  }

  function send(note: string): void {
    notify(db, db, TOPIC, note).catch((error: unknown) =>
      log.warn({ err: error }, 'could not notify the other replicas'),
    );
  }

  // Tells a replica that was alone so far that this one is here.
  send(JSON.stringify({ from: replica, queues: [] } satisfies Note));

  return {
    notify(queues) {
      for (const queue of queues) collected.add(queue);
      timer ??= setTimeout(sendCollected, PAUSE_MS);
    },
    close() {
      stop();
      clearTimeout(timer);
    },
  };
}
