// Notifies listeners that streams grew. NOTIFY takes a lock that all commits of the server share, so concurrent appends are
// announced together and off the callers' path; readers that tail a stream also poll it.
import type { Log } from '../telemetry/log.ts';
import type { Database } from '../store/database.ts';
import type { LinkedReceipt } from './receipt.ts';

export const APPENDED_TOPIC = 'receipt';
const DELAY_MS = 50;

export interface Announcer {
  announce(receipts: readonly Pick<LinkedReceipt, 'stream'>[]): void;
  flush(): Promise<void>;
}

export function createAnnouncer(db: Database, log: Log): Announcer {
  const grown = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (grown.size === 0) return;
    const streams = [...grown];
    grown.clear();
    await db
      .query(`select pg_notify($1, '${APPENDED_TOPIC} ' || s) from unnest($2::text[]) as s`, [db.schema, streams])
      .catch((error: Error) => log.warn({ err: error }, 'could not announce receipts'));
  }

  return {
    announce(receipts) {
      for (const { stream } of receipts) grown.add(stream);
      timer ??= setTimeout(() => void flush(), DELAY_MS);
    },
    flush,
  };
}
