// Wakes the other replicas. Notifications pass one global lock in PostgreSQL, so they are collected for a moment,
// and none is sent while this replica is alone. One that gets lost costs no more than the slow look's pause.
import type { Log } from '../../base/log.ts';
import type { Database } from '../../store/database.ts';
import { type Listener, notify } from '../../store/listen.ts';

const TOPIC = 'broker';
const PAUSE_MS = 10;
const QUEUES_MAX = 50;
/** Somebody who was heard is taken to be there for so long; by then the table of replicas knows. */
const COMPANY_MS = 5_000;

export interface Bell {
  tell(queues: Iterable<string>): void;
  close(): void;
}

interface Note {
  readonly from?: string;
  /** Absent: all of them. */
  readonly queues?: readonly string[];
}

export interface BellDeps {
  readonly db: Database;
  readonly listener: Listener;
  readonly replica: string;
  readonly log: Log;
  readonly isAlone: () => boolean;
  /** Called with the queues to look into; undefined means all. */
  readonly hear: (queues: readonly string[] | undefined) => void;
}

export function createBell({ db, listener, replica, log, isAlone, hear }: BellDeps): Bell {
  const collected = new Set<string>();
  let heardAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  const stop = listener.subscribe(TOPIC, (heard) => {
    const { from, queues } = heard.missed ? {} : (JSON.parse(heard.value) as Note);
    if (from === replica) return;
    heardAt = performance.now();
    hear(queues);
  });

  function ring(): void {
    timer = undefined;
    const queues = [...collected];
    collected.clear();
    if (isAlone() && performance.now() - heardAt > COMPANY_MS) return;
    const text = JSON.stringify({ from: replica, queues } satisfies Note);
    send(
      queues.length <= QUEUES_MAX && Buffer.byteLength(text) < 7_000
        ? text
        : JSON.stringify({ from: replica } satisfies Note),
    );
  }

  function send(note: string): void {
    notify(db, db, TOPIC, note).catch((error: unknown) =>
      log.warn({ err: error }, 'could not wake the other replicas'),
    );
  }

  // Whoever thought it was alone knows better from now on.
  send(JSON.stringify({ from: replica, queues: [] } satisfies Note));

  return {
    tell(queues) {
      for (const queue of queues) collected.add(queue);
      timer ??= setTimeout(ring, PAUSE_MS);
    },
    close() {
      stop();
      clearTimeout(timer);
    },
  };
}
