// How a change sends mail: it is queued in the transaction of the change, so that neither happens without the other.
import type { Queryable } from '../store/database.ts';
import type { Mail, MailKind } from './mail-kinds.ts';

export interface Mailer {
  /** False without SMTP: then nothing is queued, and links are shown to be handed over. */
  readonly configured: boolean;
  /** Throws `rate_limited` for kinds that are limited, and `invalid_request` for what is no address. */
  queue<K extends MailKind>(tx: Queryable, mail: Mail<K>): Promise<void>;
}

export const NO_MAILER: Mailer = { configured: false, queue: async () => {} };
