// Tells listeners that streams grew. NOTIFY takes a lock over all commits of the server, so appends of one moment
// are announced together and away from the path of the callers; whoever tails a stream also looks by itself.
import type { Log } from '../base/log.ts';
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
