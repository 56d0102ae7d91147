// The session behind a request to the web server: one signature check and one statement.
//
// A browser authenticates with the signed session cookie, a command-line client with the session's token as a bearer
// token; the table has only the token's digest. If there is a bearer token, only it counts: such requests are exempt
// from the origin check, so their cookie must never authenticate them. The same goes for any other `Authorization`
// header.
import { readAuthorization } from '../../net/authorization.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { Queryable } from '../../store/database.ts';
import type { IdentitySettings } from '../identity-settings.ts';
import { digestSecret } from '../secret-digests.ts';
import type { SessionMethod } from './begin-session.ts';
import { readSessionCookie } from './session-cookie.ts';

export interface SessionDeps {
  readonly db: Queryable;
  readonly settings: Pick<IdentitySettings, 'authSecret' | 'publicUrl'>;
  readonly clock?: Clock;
}

export interface Session {
  readonly sessionId: string;
  readonly user: { readonly id: string; readonly name: string; readonly email: string };
  readonly expiresAt: Date;
  readonly method: SessionMethod;
  /** Whether a second factor was given, or a factor that counts as two. */
  readonly secondFactor: boolean;
  /** When the person last proved who they are. */
  readonly provedAt: Date;
  /** Within a few minutes. */
  readonly seenAt: Date;
  /** An organization of the person requires a second factor, and this session has none (second-factor-demand.ts). */
  readonly owesSecondFactor: boolean;
}

interface SessionRow extends Record<string, unknown> {
  id: string;
  expires_at: Date;
  user_id: string;
  name: string;
  email: string;
  method: SessionMethod;
  second_factor: boolean;
  proved_at: Date;
  seen_at: Date;
  owes: boolean;
}

const SESSION_TOKEN = /^[A-Za-z0-9]{16,128}$/;

/** Reads only the headers `authorization` and `cookie`. */
export async function findSession(deps: SessionDeps, headers: Pick<Headers, 'get'>): Promise<Session | undefined> {
  const token = readSessionToken(headers, deps.settings);
  if (token === undefined) return undefined;
  const { rows } = await deps.db.query<SessionRow>(
    `select s.id, s.expires_at, s.method, s.second_factor, s.proved_at, coalesce(s.seen_at, s.created_at) as seen_at,
            not s.second_factor and s.method <> 'openid'
              and exists (select 1 from :schema.second_factor_demand d where d.user_id = s.user_id) as owes,
            u.id as user_id, u.name, u.email
       from :schema.identity_session s join :schema.identity_user u on u.id = s.user_id
      where s.token = $1 and s.expires_at > $2 and u.disabled_at is null`,
    [digestSecret(token), (deps.clock ?? systemClock)()],
  );
  const row = rows[0];
  return (
    row && {
      sessionId: row.id,
      user: { id: row.user_id, name: row.name, email: row.email },
      expiresAt: row.expires_at,
      method: row.method,
      secondFactor: row.second_factor,
      provedAt: row.proved_at,
      seenAt: row.seen_at,
      owesSecondFactor: row.owes,
    }
  );
}

/** The session token of a request, whether or not the session still exists. */
export function readSessionToken(headers: Pick<Headers, 'get'>, settings: SessionDeps['settings']): string | undefined {
  const authorization = readAuthorization(headers);
  if (authorization.kind === 'malformed') return undefined;
  const cookie = headers.get('cookie');
  const token =
    authorization.kind === 'bearer'
      ? authorization.token
      : cookie === null
        ? undefined
        : readSessionCookie(cookie, settings);
  return token !== undefined && SESSION_TOKEN.test(token) ? token : undefined;
}
