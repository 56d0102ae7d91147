import { publicUrl } from '../base/addresses.ts';
import type { Config } from '../base/config.ts';
import { AppError } from '../base/errors.ts';

/** How the integration provider is reached. It exists only when all three required variables are set. */
export interface NangoSettings {
  readonly url: string;
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** The provider's API as browsers reach it. */
  readonly publicUrl: string;
}

export function findNangoSettings(config: Config): NangoSettings | undefined {
  const { SERVICE_INTEGRATIONS_URL: url, SERVICE_INTEGRATIONS_SECRET_KEY: secretKey, SERVICE_INTEGRATIONS_WEBHOOK_SECRET: webhookSecret } = config;
  if (url === undefined || url === 'off' || secretKey === undefined || webhookSecret === undefined) return undefined;
  return { url, secretKey, webhookSecret, publicUrl: config.SERVICE_INTEGRATIONS_PUBLIC_URL ?? `${publicUrl(config)}/integrations` };
}

/** For routes that cannot do without the provider. */
export function requireIntegrations<T>(configured: T | undefined): T {
  if (configured === undefined) throw new AppError('integrations_not_configured');
  return configured;
}
