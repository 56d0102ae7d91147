// What a sign-in leaves behind: the language in which the person reads mail, and a mail to them if the browser has not
// been used for the account before. However they signed in, the session exists by now, so nothing here may fail it.
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { setLanguage } from '../../identity/sessions/set-language.ts';
import { describeDevice } from '../../identity/sessions/describe-device.ts';
import type { Mailer } from '../../mail/mailer.ts';
import type { Database } from '../../store/database.ts';
import type { Log } from '../../telemetry/log.ts';
import { requestLanguage } from '../shell/request-language.ts';

export interface NoteSignInDeps {
  readonly db: Database;
  readonly log: Log;
  readonly clock: Clock;
  readonly mailer: Mailer;
}

export interface SignedIn {
  readonly email: string;
  /** Whether the browser carries the marker of the account, or the account is new. */
  readonly known: boolean;
  readonly address: string;
  readonly headers: Pick<Headers, 'get'>;
}

export async function noteSignIn(
  { db, log, clock, mailer }: NoteSignInDeps,
  { email, known, address, headers }: SignedIn,
): Promise<void> {
  try {
    const language = requestLanguage(headers);
    if (language !== undefined) await setLanguage(db, email, language);
    if (known || !mailer.configured) return;
    const values = {
      device: nameDevice(headers.get('user-agent') ?? ''),
      place: address,
      at: clock().toISOString(),
    };
    await db.transaction((tx) => mailer.queue(tx, { kind: 'new-device', to: email, values, language }));
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return;
    log.warn({ err: error }, 'could not note a sign-in');
  }
}

const PROGRAM_LENGTH = 60;

/** In the few words that a person recognizes; it may claim anything. */
function nameDevice(userAgent: string): string {
  const { program, system } = describeDevice(userAgent);
  const known = [program, system].filter((name) => name !== undefined);
  return known.length > 0 ? known.join(', ') : (/^[\w.-]+/.exec(userAgent)?.[0] ?? '?').slice(0, PROGRAM_LENGTH);
}
