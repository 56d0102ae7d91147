// Builds the dependencies of turns from the configuration, once per process.
import type { Config } from '../base/config.ts';
import type { Log } from '../telemetry/log.ts';
import type { Meter } from '../telemetry/metrics/create-meter.ts';
import type { ModelCatalog } from '../catalog/model-catalog.ts';
import { createKvLimit } from '../enforcement/kv-limit.ts';
import { createAdmit, createSettle } from '../enforcement/budget.ts';
import { noteHolds, reapHolds } from '../enforcement/holds.ts';
import { keepSpendRecords } from '../enforcement/read-requests.ts';
import { SPEND_DAYS_KEPT } from '../enforcement/read-spend.ts';
import { createSecretCache } from '../keys/sealed-secrets.ts';
import { createDispatchers, createOpenCalls, upstreamLimits } from '../model-providers/call-upstream.ts';
import { platformKeys, providerUrls } from '../model-providers/providers.ts';
import type { Database } from '../store/database.ts';
import { every } from '../timing/every.ts';
import type { TurnDeps } from './answer-turn.ts';
import { createLiveHolds, createTurnMeter } from './turn-meter.ts';
import { createTurnContextCache } from './turn-context.ts';

export interface Turns {
  readonly deps: TurnDeps;
  /** Waits for pending settlements, then closes connections to providers. */
  close(): Promise<void>;
}

/** Well within the minute in which the holds of a lost process are settled. */
const REAP_EVERY_MS = 10_000;
const NOTE_EVERY_MS = 5_000;
const KEEP_EVERY_MS = 60 * 60_000;
/** How long a process that stops waits for a database that is away. */
const STOP_PATIENCE_MS = 5_000;
/** Jitter, so that processes started together do not reap together. */
const JITTER = 0.1;

export interface TurnsOptions {
  readonly config: Config;
  readonly catalog: ModelCatalog;
  readonly db: Database;
  readonly log: Log;
  /** As announced in the process table: the holds of a process that nobody sees are settled by others. */
  readonly processId: string;
  readonly meter?: Meter | undefined;
}

export function createTurns({ config, catalog, db, log, processId, meter }: TurnsOptions): Turns {
  const dispatchers = createDispatchers({ allowPrivateUrls: config.SERVICE_ALLOW_PRIVATE_URLS });
  const stopping = new AbortController();
  const admit = createAdmit(db, { processId, log, stopping: stopping.signal });
  const settle = createSettle(db, log, stopping.signal);
  const limit = config.DISABLE_KV_STORE ? 0 : config.SERVICE_CHAT_REQUESTS_PER_MINUTE;
  const kvLimit =
    config.SERVICE_KV_URL !== undefined && limit > 0
      ? createKvLimit({ url: config.SERVICE_KV_URL, limit, prefix: db.schema, log })
      : undefined;
  const reaping = every({
    everyMs: REAP_EVERY_MS,
    jitter: JITTER,
    task: 'settle holds of lost processes',
    log,
    run: async (stop) => {
      const holds = await reapHolds(db, processId, stop);
      if (holds > 0) log.warn({ holds }, 'settled requests of lost processes');
    },
  });
  const keeping = every({
    everyMs: KEEP_EVERY_MS,
    jitter: JITTER,
    task: 'roll up usage and drop old requests',
    log,
    run: () => keepSpendRecords(db, SPEND_DAYS_KEPT),
  });
  void keeping.run();
  const liveHolds = createLiveHolds();
  const noting = every({
    everyMs: NOTE_EVERY_MS,
    task: 'record cost of answers in progress',
    log,
    async run() {
      const noted = liveHolds.takeChanged();
      if (noted.length > 0) await noteHolds(db, noted);
    },
  });

  return {
    deps: {
      contexts: createTurnContextCache(db),
      admit,
      settle,
      liveHolds,
      ceilingMicros:
        config.SERVICE_PLATFORM_MONTHLY_LIMIT_USD === undefined
          ? undefined
          : Math.round(config.SERVICE_PLATFORM_MONTHLY_LIMIT_USD * 1_000_000),
      settings: {
        catalog,
        strict: config.CHAT_REQUIRE_BYOK,
        open: createSecretCache(config.BYOK_ENCRYPTION_KEY_B64),
        platformKeys: platformKeys(config),
      },
      limit,
      kvLimit,
      urls: providerUrls(config),
      dispatchers,
      upstreamLimits: upstreamLimits(config.SERVICE_MODEL_SILENCE_SECONDS),
      calls: createOpenCalls(),
      log,
      ...(meter ? { meter: createTurnMeter(meter, catalog) } : {}),
    },
    async close() {
      await Promise.all([reaping.stop(), noting.stop(), keeping.stop()]);
      const impatient = setTimeout(() => stopping.abort(), STOP_PATIENCE_MS);
      await Promise.all([settle.drain(), admit.drain()]);
      clearTimeout(impatient);
      await dispatchers.close();
      await kvLimit?.close();
    },
  };
}
