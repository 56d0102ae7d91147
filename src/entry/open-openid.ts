import type { Config } from '../base/config.ts';
import { readOpenIdSettings } from '../identity/openid/openid-settings.ts';
import { createOpenIdProvider, type OpenIdProvider } from '../identity/openid/provider.ts';
import type { Log } from '../telemetry/log.ts';

/** The OpenID provider of the deployment, if it has one. Asks it nothing yet. Throws `ConfigError`. */
export function openOpenId(config: Config, publicUrl: string, log: Log): OpenIdProvider | undefined {
  const settings = readOpenIdSettings(config);
  return settings && createOpenIdProvider({ settings, publicUrl, log });
}
