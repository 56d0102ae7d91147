// Builds what turns need from the configuration, once per process.
import type { Config } from '../base/config.ts';
import type { Log } from '../base/log.ts';
import type { Meter } from '../base/metrics/create-meter.ts';
import type { ModelCatalog } from '../catalog/model-catalog.ts';
import { createAdmit } from '../enforcement/admit.ts';
import { createKvLimit } from '../enforcement/kv-limit.ts';
import { createSettle, noteHolds, reapHolds, releaseHold } from '../enforcement/settle.ts';
import { createSecretCache } from '../keys/secret-cache.ts';
import { createDispatchers } from '../providers/dispatchers.ts';
import { providerUrls } from '../providers/providers.ts';
import type { Database } from '../store/database.ts';
import type { TurnDeps } from './answer-turn.ts';
import { createLiveHolds } from './live-holds.ts';
import { createTurnMeter } from './turn-meter.ts';
import { createTurnContextCache } from './turn-context-cache.ts';

export interface Turns {
  readonly deps: TurnDeps;
  /** Waits for settlements that are under way, then closes connections to providers. */
  close(): Promise<void>;
}

const REAP_EVERY_MS = 60_000;
const NOTE_EVERY_MS = 5_000;

export interface TurnsOptions {
  readonly config: Config;
  readonly catalog: ModelCatalog;
  readonly db: Database;
  readonly log: Log;
  readonly meter?: Meter | undefined;
}

export function createTurns({ config, catalog, db, log, meter }: TurnsOptions): Turns {
  const dispatchers = createDispatchers({ allowPrivateUrls: config.SERVICE_ALLOW_PRIVATE_URLS });
  const admit = createAdmit(db);
  const settle = createSettle(db, log);
  const limit = config.DISABLE_KV_STORE ? 0 : config.SERVICE_CHAT_REQUESTS_PER_MINUTE;
  const kvLimit =
    config.SERVICE_KV_URL !== undefined && limit > 0
      ? createKvLimit({ url: config.SERVICE_KV_URL, limit, prefix: db.schema, log })
      : undefined;
  const reaper = setInterval(
    () =>
      void reapHolds(db).catch((error: unknown) =>
        log.warn({ err: error }, 'expired holds could not be settled; trying again'),
      ),
    REAP_EVERY_MS,
  );
  const liveHolds = createLiveHolds();
  const noting = setInterval(() => {
    const noted = liveHolds.takeNews();
    if (noted.length > 0)
      noteHolds(db, noted).catch((error: unknown) =>
        log.warn({ err: error }, 'what answers have cost so far could not be noted'),
      );
  }, NOTE_EVERY_MS);

  return {
    deps: {
      contexts: createTurnContextCache(db),
      admit,
      settle,
      release: (holdId) => releaseHold(db, holdId),
      liveHolds,
      db,
      ceilingMicros:
        config.SERVICE_PLATFORM_MONTHLY_LIMIT_USD === undefined
          ? undefined
          : config.SERVICE_PLATFORM_MONTHLY_LIMIT_USD * 1_000_000,
      settings: {
        catalog,
        strict: config.CHAT_REQUIRE_BYOK,
        open: createSecretCache(config.BYOK_ENCRYPTION_KEY_B64),
        platformKeys: { openai: config.OPENAI_API_KEY, anthropic: config.ANTHROPIC_API_KEY },
      },
      limit,
      kvLimit,
      urls: providerUrls(config),
      dispatchers,
      log,
      ...(meter ? { meter: createTurnMeter(meter, catalog) } : {}),
    },
    async close() {
      clearInterval(reaper);
      clearInterval(noting);
      await settle.drain();
      await dispatchers.close();
      await kvLimit?.close();
    },
  };
}
