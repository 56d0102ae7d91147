// Begins a session for a person who has proved who they are. A shut account gets none.
import { newId } from '../../base/ids.ts';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Queryable } from '../../store/database.ts';
import type { IdentitySettings } from '../identity-settings.ts';
import { digestSecret } from '../secret-digests.ts';
import { newSessionToken, writeSessionCookie } from './session-cookie.ts';

export const SESSION_DAYS = 30;
/** Of a session that the browser forgets when it is closed. */
const FORGOTTEN_SESSION_DAYS = 1;

export type SessionMethod = 'password' | 'passkey' | 'openid';

/** What an OpenID provider calls the person and the session, so that it can end it. */
export interface ProviderSession {
  readonly issuer: string;
  readonly subject: string;
  readonly session?: string;
}

export interface SessionStart {
  readonly userId: string;
  readonly method: SessionMethod;
  readonly secondFactor: boolean;
  readonly address: string;
  readonly userAgent: string;
  readonly provider?: ProviderSession;
  /** Whether it outlives the browser; it does by default. */
  readonly remember?: boolean;
}

export interface BeginSessionDeps {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly settings: Pick<IdentitySettings, 'authSecret' | 'publicUrl'>;
}

/** Returns the `Set-Cookie` of the session. Throws `account_disabled`. */
export async function beginSession({ db, clock, settings }: BeginSessionDeps, start: SessionStart): Promise<string> {
  const token = newSessionToken();
  const now = clock();
  const { remember = true } = start;
  const lifeSeconds = (remember ? SESSION_DAYS : FORGOTTEN_SESSION_DAYS) * 86_400;
  const { rowCount } = await db.query(
    `insert into :schema.identity_session
       (id, user_id, token, expires_at, ip_address, user_agent, created_at, updated_at, proved_at, method, second_factor, issuer, subject, provider_session)
     select $1, u.id, $3, $4, $5, $6, $7, $7, $7, $8, $9, $10, $11, $12 from :schema.identity_user u where u.id = $2 and u.disabled_at is null`,
    [
      newId('ses'),
      start.userId,
      digestSecret(token),
      new Date(now.getTime() + lifeSeconds * 1000),
      start.address,
      start.userAgent,
      now,
      start.method,
      start.secondFactor,
      start.provider?.issuer ?? null,
      start.provider?.subject ?? null,
      start.provider?.session ?? null,
    ],
  );
  if (rowCount === 0) throw new AppError('account_disabled');
  return writeSessionCookie(token, remember ? lifeSeconds : undefined, settings);
}
