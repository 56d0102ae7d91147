// One connection per process that listens for changes. All topics share one PostgreSQL channel named after the schema; the
// payload is `topic` or `topic value`. A notification is a hint, never the data: subscribers read again. After a lost
// connection every subscriber gets `missed`, because notifications may have been lost.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Log } from '../telemetry/log.ts';
import { RECONNECTS } from '../timing/retry-policies.ts';
import { reconnect } from '../timing/retry.ts';
import { quoteIdentifier } from './connection.ts';
import type { Database, Queryable } from './database.ts';

export type Heard = { readonly missed: false; readonly value: string } | { readonly missed: true };

export interface Listener {
  /**
   * Calls back for each notification of a topic, or only for those with one value, at no cost to subscribers of other
   * values. Returns the function that unsubscribes.
   */
  subscribe(topic: string, hear: (heard: Heard) => void, value?: string): () => void;
  close(): Promise<void>;
}

const PROBE = 'probe';
const HEARD_WITHIN_MS = 5_000;

export function notify(on: Queryable, db: Pick<Database, 'schema'>, topic: string, value = ''): Promise<unknown> {
  return on.query('select pg_notify($1, $2)', [db.schema, `${topic} ${value}`]);
}

function startListening(db: Database, log: Log): Listener {
  // By topic, or by topic and value as in the payload.
  const subscribers = new Map<string, Set<(heard: Heard) => void>>();
  const stopping = new AbortController();
  const stopped = once(stopping.signal, 'abort');

  const tell = (key: string, heard: Heard): void => {
    for (const hear of subscribers.get(key) ?? []) hear(heard);
  };

  async function listenOnce(): Promise<void> {
    const client = db.newClient();
    const ended = new Promise<void>((resolve) => {
      client.on('error', () => resolve());
      client.on('end', () => resolve());
    });
    client.on('notification', ({ payload = '' }) => {
      const space = payload.indexOf(' ');
      const heard = { missed: false, value: payload.slice(space + 1) } as const;
      tell(payload.slice(0, space), heard);
      tell(payload, heard);
    });
    let connected = false;
    const listening = async (): Promise<void> => {
      await client.connect();
      connected = true;
      await client.query(`listen ${quoteIdentifier(db.schema)}`);
      for (const key of subscribers.keys()) tell(key, { missed: true });
      await ended;
    };
    try {
      // Not `listening` alone: `connect` never settles on a client that is ended meanwhile.
      await Promise.race([listening(), stopped]);
    } finally {
      const end = client.end().catch(() => {});
      // A connection that is still being made ends when its own timeout is over, which nobody has to wait for.
      if (connected) await end;
    }
  }

  const running = reconnect(RECONNECTS.listener, listenOnce, {
    signal: stopping.signal,
    onFailure: (error) => log.warn({ err: error }, 'database listener failed; reconnecting'),
  });

  return {
    subscribe(topic, hear, value) {
      const key = value === undefined ? topic : `${topic} ${value}`;
      const set = subscribers.get(key) ?? new Set();
      subscribers.set(key, set.add(hear));
      return () => {
        set.delete(hear);
        if (set.size === 0 && subscribers.get(key) === set) subscribers.delete(key);
      };
    },
    async close() {
      stopping.abort();
      await running;
    },
  };
}

/** Behind a pooler that shares connections between clients, notifications are lost: then it says so once. */
export function openListener(db: Database, log: Log): Listener {
  const listener = startListening(db, log);
  void warnIfDeaf(listener, db, log);
  return listener;
}

async function warnIfDeaf(listener: Listener, db: Database, log: Log): Promise<void> {
  if (!(await probe(listener, db, HEARD_WITHIN_MS)))
    log.warn(
      'notifications of the database do not arrive, probably for a pooler in transaction mode; changes are seen late',
    );
}

/** Whether what one connection notifies reaches another one that listens. */
export async function hearsNotifications(db: Database, log: Log): Promise<boolean> {
  const listener = startListening(db, log);
  try {
    return await probe(listener, db, HEARD_WITHIN_MS);
  } finally {
    await listener.close();
  }
}

/** Sends itself a notification once the listener is connected. */
function probe(listener: Listener, db: Database, timeoutMs: number): Promise<boolean> {
  const id = randomUUID();
  const { promise: heard, resolve } = Promise.withResolvers<boolean>();
  let timer: NodeJS.Timeout | undefined;
  const hear = ({ missed }: Heard): void => {
    if (!missed) return resolve(true);
    timer ??= setTimeout(() => resolve(false), timeoutMs).unref();
    // A database that has gone away is found by others; the next connection probes again.
    notify(db, db, PROBE, id).catch(() => {});
  };
  const unsubscribe = listener.subscribe(PROBE, hear, id);
  return heard.finally(() => {
    clearTimeout(timer);
    unsubscribe();
  });
}
