// What the worker that sends mail needs: both variables or none, and the key.
import { type Config, ConfigError } from '../base/config.ts';
import { type MailAddress, parseMailAddress } from '../base/mail-address.ts';
import { requireMailKey } from './create-mailer.ts';

export interface MailSettings {
  readonly serverUrl: string;
  readonly from: MailAddress;
  readonly key: Buffer;
}

export function readMailSettings(
  config: Pick<Config, 'SERVICE_SMTP_URL' | 'SERVICE_MAIL_FROM' | 'SERVICE_CONNECTION_ENCRYPTION_KEY_B64'>,
): MailSettings | undefined {
  const { SERVICE_SMTP_URL: serverUrl, SERVICE_MAIL_FROM: sender } = config;
  if (serverUrl === undefined || serverUrl === 'off') {
    if (sender === undefined || serverUrl === 'off') return undefined;
    throw new ConfigError('SERVICE_MAIL_FROM is set without SERVICE_SMTP_URL: set both, or neither.');
  }
  const from = sender === undefined ? undefined : parseMailAddress(sender);
  if (!from) throw new ConfigError('SERVICE_SMTP_URL is set without SERVICE_MAIL_FROM: set both, or neither.');
  return { serverUrl, from, key: requireMailKey(config.SERVICE_CONNECTION_ENCRYPTION_KEY_B64) };
}
