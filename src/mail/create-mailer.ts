// Queues mail: a row, sealed, and the control run that delivers it, both in the caller's transaction. What goes wrong
// later is for the schedule of control runs.
import { type Clock, systemClock } from '../base/clock.ts';
import { type Config, ConfigError } from '../base/config.ts';
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { isMailAddress } from '../base/mail-address.ts';
import { seal } from '../base/seal.ts';
import { startControlRun } from '../runs/delivery/control-tasks.ts';
import { requireMailAllowed } from './mail-limits.ts';
import { type Mailer, NO_MAILER } from './mailer.ts';

/** Authenticated with what is sealed, so that it cannot be moved to another row. */
export function sealingContext(id: string, recipient: string): readonly string[] {
  return ['mail/v1', id, recipient];
}

const INSERT = `
insert into :schema.mail (id, recipient, kind, language, caused_by, ciphertext, iv, auth_tag, created_at, next_at)
values ($1, $2, $3, coalesce((select u.language from :schema.identity_user u where u.email = $2), $4, 'en'), $5, $6, $7, $8, $9, $9)`;

/** The sender's name is enough to know that mail is sent: only the worker that sends it knows the server. */
export function openMailer(
  {
    SERVICE_MAIL_FROM: from,
    SERVICE_CONNECTION_ENCRYPTION_KEY_B64: key,
  }: Pick<Config, 'SERVICE_MAIL_FROM' | 'SERVICE_CONNECTION_ENCRYPTION_KEY_B64'>,
  actor: `system:${string}`,
): Mailer {
  if (from === undefined) return NO_MAILER;
  return createMailer({ key: requireMailKey(key), actor, clock: systemClock });
}

export function requireMailKey(key: Buffer | undefined): Buffer {
  if (key === undefined)
    throw new ConfigError(
      'SERVICE_MAIL_FROM requires SERVICE_CONNECTION_ENCRYPTION_KEY_B64, which encrypts mail that waits (make one with: openssl rand -base64 32).',
    );
  return key;
}

export function createMailer({
  key,
  actor,
  clock,
}: {
  readonly key: Buffer;
  readonly actor: `system:${string}`;
  readonly clock: Clock;
}): Mailer {
  return {
    configured: true,
    async queue(tx, { kind, to, values, language, causedBy }) {
      if (!isMailAddress(to)) throw new AppError('invalid_request', { email: 'is not an email address' });
      const [id, at] = [newId('mail'), clock()];
      await requireMailAllowed(tx, { kind, to, causedBy, at });
      const { ciphertext, iv, authTag } = seal(key, JSON.stringify(values), sealingContext(id, to));
      await tx.query(INSERT, [id, to, kind, language ?? null, causedBy ?? null, ciphertext, iv, authTag, at]);
      await startControlRun(tx, 'mail', { actor, idempotencyKey: `mail/${id}`, at, handOver: 'sweep' });
    },
  };
}
