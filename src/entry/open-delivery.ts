// How the worker-control role sends mail; the other roles do not know the server. The client is loaded with the first
// mail: most processes never send one.
import { publicUrl } from '../net/addresses.ts';
import { systemClock } from '../base/clock.ts';
import type { DeliverDeps } from '../mail/deliver-mail.ts';
import { readMailSettings } from '../mail/mail-settings.ts';
import type { RoleDeps } from './role-deps.ts';

/** Throws ConfigError for half a configuration. */
export function openDelivery({ config, log, db, role, meter }: RoleDeps): DeliverDeps | undefined {
  if (role !== 'worker-control') return undefined;
  const settings = readMailSettings(config);
  if (!settings) return undefined;
  const { serverUrl, from, key } = settings;
  return {
    db,
    log,
    clock: systemClock,
    key,
    publicUrl: publicUrl(config),
    openSender: async () => (await import('../mail/smtp-sender.ts')).openSmtpSender(serverUrl, from),
    onOutcome: (kind, outcome) => meter?.count('service_mails_total', [kind, outcome]),
  };
}
