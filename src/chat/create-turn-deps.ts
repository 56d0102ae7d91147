// Builds what turns need from the configuration, once per process.
import type { Config } from '../base/config.ts';
import type { Log } from '../base/log.ts';
import type { ModelCatalog } from '../catalog/model-catalog.ts';
import { createAdmit } from '../enforcement/admit.ts';
import { createKvLimit } from '../enforcement/kv-limit.ts';
import { createSettle, reapHolds, releaseHold } from '../enforcement/settle.ts';
import { createBriefOpener } from '../keys/open-briefly.ts';
import { createDispatchers } from '../providers/dispatchers.ts';
import { providerUrls } from '../providers/providers.ts';
import type { Database } from '../store/database.ts';
import type { TurnDeps } from './answer-turn.ts';
import { createTurnContextCache } from './turn-context-cache.ts';

export interface Turns {
  readonly deps: TurnDeps;
  /** Waits for settlements that are under way, then closes connections to providers. */
  close(): Promise<void>;
}

const REAP_EVERY_MS = 60_000;

export function createTurns(config: Config, catalog: ModelCatalog, db: Database, log: Log): Turns {
  const dispatchers = createDispatchers({ allowPrivateUrls: config.SERVICE_ALLOW_PRIVATE_URLS });
  const admit = createAdmit(db);
  const settle = createSettle(db, log);
  const limit = config.DISABLE_KV_STORE ? 0 : config.SERVICE_CHAT_REQUESTS_PER_MINUTE;
  const kvLimit = config.SERVICE_KV_URL !== undefined && limit > 0 ? createKvLimit({ url: config.SERVICE_KV_URL, limit, prefix: db.schema, log }) : undefined;
  const reaper = setInterval(() => void reapHolds(db).catch((error: unknown) => log.warn({ err: error }, 'expired holds could not be returned; trying again')), REAP_EVERY_MS);

  return {
    deps: {
      contexts: createTurnContextCache(db),
      admit,
      settle,
      release: (holdId) => releaseHold(db, holdId),
      settings: {
        catalog,
        strict: config.CHAT_REQUIRE_BYOK,
        open: createBriefOpener(config.BYOK_ENCRYPTION_KEY_B64),
        platformKeys: { openai: config.OPENAI_API_KEY, anthropic: config.ANTHROPIC_API_KEY },
      },
      limit,
      kvLimit,
      urls: providerUrls(config),
      dispatchers,
      log,
    },
    async close() {
      clearInterval(reaper);
      await settle.drain();
      await dispatchers.close();
      await kvLimit?.close();
    },
  };
}
