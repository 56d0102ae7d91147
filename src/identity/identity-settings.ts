import { publicUrl } from '../net/addresses.ts';
import { type Config, ConfigError } from '../base/config.ts';

export interface IdentitySettings {
  /** The public base URL: issuer of OAuth tokens, origin of the session cookie. */
  readonly publicUrl: string;
  /** Signs session cookies. */
  readonly authSecret: string;
  /** Whether a client's metadata document may be fetched from a loopback or private address. */
  readonly allowPrivateUrls: boolean;
  /** Whether clients may be identified by such a document at all. */
  readonly clientDocuments?: boolean;
}

export function readIdentitySettings(config: Config): IdentitySettings {
  if (config.AUTH_SECRET === undefined) {
    throw new ConfigError(
      'the web server requires AUTH_SECRET: set it to a long random string (make one with: openssl rand -base64 32).',
    );
  }
  return {
    publicUrl: publicUrl(config),
    authSecret: config.AUTH_SECRET,
    allowPrivateUrls: config.SERVICE_ALLOW_PRIVATE_URLS,
    clientDocuments: config.SERVICE_OAUTH_CLIENT_DOCUMENTS,
  };
}
