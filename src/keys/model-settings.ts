import type { Config } from '../base/config.ts';
import type { Log } from '../telemetry/log.ts';
import { loadModels } from '../catalog/load-models.ts';
import type { ModelCatalog } from '../catalog/model-catalog.ts';
import { platformKeys, type ProviderUrls, providerUrls } from '../model-providers/providers.ts';
import type { Database } from '../store/database.ts';

/** The deployment's configuration of models and keys. */
export interface ModelSettings {
  readonly catalog: ModelCatalog;
  /** Undefined if BYOK_ENCRYPTION_KEY_B64 is not set: keys are then neither stored nor opened. */
  readonly wrappingKey: Buffer | undefined;
  readonly providerUrls: ProviderUrls;
  readonly allowPrivateUrls: boolean;
  /** `CHAT_REQUIRE_BYOK`. */
  readonly strict: boolean;
  /** The deployment's own keys, by provider. */
  readonly platformKeys: Readonly<Record<string, string | undefined>>;
  /** Whether both providers are the demo ones. */
  readonly demo: boolean;
  /** Timeout of the live key validation; the default is the specification's. */
  readonly validationTimeoutMs?: number;
}

export interface KeyDeps extends ModelSettings {
  readonly db: Database;
  readonly log: Log;
}

export function readModelSettings(config: Config, catalog: ModelCatalog = loadModels(undefined)): ModelSettings {
  return {
    catalog,
    wrappingKey: config.BYOK_ENCRYPTION_KEY_B64,
    providerUrls: providerUrls(config),
    allowPrivateUrls: config.SERVICE_ALLOW_PRIVATE_URLS,
    strict: config.CHAT_REQUIRE_BYOK,
    platformKeys: platformKeys(config),
    demo: config.SERVICE_DEMO_PROVIDERS,
  };
}
