import { publicUrl } from '../../src/net/addresses.ts';
import { type Config, ConfigError } from '../../src/base/config.ts';
import type { Log } from '../../src/telemetry/log.ts';
import type { Catalog } from '../../src/catalog/connector-types.ts';
import type { Database } from '../../src/store/database.ts';

/** Addresses of the local integration provider, for itself and for browsers. */
export interface LocalSettings {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** URLs for browsers: the API, the Connect page, the OAuth callback, and the app to return to. */
  readonly publicApiUrl: string;
  readonly connectUrl: string;
  readonly callbackUrl: string;
  readonly appUrl: string;
  /** URL of the API for this process itself, which calls the token endpoint over HTTP. */
  readonly apiUrl: string;
  readonly webhookUrl: string;
  /** Lifetime of a demo access token. */
  readonly tokenSeconds: number;
}

export interface LocalDeps {
  readonly db: Database;
  readonly log: Log;
  readonly catalog: Catalog;
  readonly settings: LocalSettings;
  /** Of the build that it belongs to. */
  readonly running: { readonly version: string; readonly build: string };
}

const TOKEN_SECONDS = 3_600;

export function readLocalSettings(config: Config): LocalSettings {
  const { SERVICE_INTEGRATIONS_SECRET_KEY: secretKey, SERVICE_INTEGRATIONS_WEBHOOK_SECRET: webhookSecret } = config;
  if (secretKey === undefined || webhookSecret === undefined) {
    throw new ConfigError(
      'the local integration provider requires SERVICE_INTEGRATIONS_SECRET_KEY and SERVICE_INTEGRATIONS_WEBHOOK_SECRET: give it the same values as the service.',
    );
  }
  const origin = publicUrl(config);
  return {
    secretKey,
    webhookSecret,
    publicApiUrl: config.SERVICE_INTEGRATIONS_PUBLIC_URL ?? `${origin}/integrations`,
    connectUrl: `${origin}/integrations-connect/`,
    callbackUrl: `${origin}/oauth/callback`,
    appUrl: `${origin}/integrations`,
    apiUrl: `http://127.0.0.1:${config.SERVICE_LOCAL_INTEGRATIONS_PORT}`,
    webhookUrl: `${origin}/connect/integrations/webhook`,
    tokenSeconds: TOKEN_SECONDS,
  };
}
