import { publicUrl } from '../net/addresses.ts';
import type { Config } from '../base/config.ts';
import { AppError } from '../base/errors.ts';

/** What a call to the integration provider needs. */
export interface NangoAccess {
  readonly url: string;
  readonly secretKey: string;
}

/** How the integration provider is reached. Exists only if all three required variables are set. */
export interface NangoSettings extends NangoAccess {
  readonly webhookSecret: string;
  /** URL of the provider's API for browsers. */
  readonly publicUrl: string;
}

export function findNangoSettings(config: Config): NangoSettings | undefined {
  const access = findNangoAccess(config);
  const { SERVICE_INTEGRATIONS_WEBHOOK_SECRET: webhookSecret } = config;
  if (access === undefined || webhookSecret === undefined) return undefined;
  return {
    ...access,
    webhookSecret,
    publicUrl: config.SERVICE_INTEGRATIONS_PUBLIC_URL ?? `${publicUrl(config)}/integrations`,
  };
}

/** For processes that receive no webhooks and therefore do not get the webhook secret. */
export function findNangoAccess({
  SERVICE_INTEGRATIONS_URL: url,
  SERVICE_INTEGRATIONS_SECRET_KEY: secretKey,
}: Config): NangoAccess | undefined {
  return url === undefined || url === 'off' || secretKey === undefined ? undefined : { url, secretKey };
}

/** For routes that need the provider. */
export function requireIntegrations<T>(configured: T | undefined): T {
  if (configured === undefined) throw new AppError('integrations_not_configured');
  return configured;
}
