// When named tokens were last used. A use is one entry in a set; what has collected is written now and then, so a crash
// loses a few seconds of it and a request never waits for it.
import type { Log } from '../../telemetry/log.ts';
import type { Database } from '../../store/database.ts';
import { every } from '../../timing/every.ts';

export interface TokenUses {
  note(tokenId: string): void;
  /** Writes what has collected. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const EVERY_MS = 15_000;
/** More tokens in use than this are not noted until the next write. */
const MOST = 10_000;

export function createTokenUses(db: Database, log: Log): TokenUses {
  let seen = new Set<string>();
  async function flush(): Promise<void> {
    if (seen.size === 0) return;
    const ids = [...seen].sort();
    seen = new Set();
    await db.query(
      `insert into :schema.connect_token_use (id, used_at)
         select t.id, now() from :schema.connect_token t
          where t.id = any ($1) and (t.revoked_at is null or t.revoked_at > now()) order by t.id
         on conflict (id) do update set used_at = excluded.used_at`,
      [ids],
    );
  }
  const writing = every({ everyMs: EVERY_MS, jitter: 0.2, task: 'record the last use of tokens', log, run: flush });
  return {
    note: (tokenId) => void (seen.size < MOST && seen.add(tokenId)),
    flush,
    async close() {
      await writing.stop();
      await flush().catch((error: unknown) => log.warn({ err: error }, 'could not record the last use of tokens'));
    },
  };
}
