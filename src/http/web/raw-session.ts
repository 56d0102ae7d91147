// Authenticates raw routes by the session of the request.
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { findSession, type Session } from '../../identity/sessions/find-session.ts';
import { requireSecondFactorAt } from '../../identity/sessions/second-factor-demand.ts';
import type { IdentitySettings } from '../../identity/identity-settings.ts';
import type { Database } from '../../store/database.ts';
import { checkOrigin } from '../shell/check-origin.ts';

export interface SessionDeps {
  readonly db: Database;
  readonly settings: IdentitySettings;
  readonly clock?: Clock;
}

/** The caller and their session. */
export interface SessionPerson {
  readonly userId: string;
  readonly sessionId: string;
  readonly session: Session;
}

/** Does not touch the body. */
export async function authenticateRaw(deps: SessionDeps, request: IncomingMessage): Promise<SessionPerson> {
  const session = await getSession(deps, request);
  return { userId: session.user.id, sessionId: session.sessionId, session };
}

export async function getSession({ db, settings, clock }: SessionDeps, request: IncomingMessage): Promise<Session> {
  const headers = new Headers(
    Object.entries(request.headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as [string, string]] : [],
    ),
  );
  const session = await findSession({ db, settings, ...(clock ? { clock } : {}) }, headers);
  if (!session) throw new AppError('unauthenticated');
  checkOrigin(new Request('http://localhost/api', { method: request.method ?? 'GET', headers }), settings.publicUrl);
  const { pathname: path } = new URL(request.url ?? '/', 'http://localhost');
  await requireSecondFactorAt(db, session, { method: request.method ?? 'GET', path });
  return session;
}
