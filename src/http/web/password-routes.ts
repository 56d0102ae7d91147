// The identity routes that take a password or end access. Passwords are hashed while no transaction is open; guesses
// are counted before they are checked.
import { AppError } from '../../base/errors.ts';
import { changePassword, type ChangePasswordDeps } from '../../identity/passwords/change-password.ts';
import { AUTH_PATH } from '../../identity/create-auth.ts';
import { endAccess } from '../../identity/sessions/end-access.ts';
import type { Session } from '../../identity/sessions/find-session.ts';
import { createGuessLimit, isMarked, markBrowser } from '../../identity/passwords/guess-limit.ts';
import type { IdentitySettings } from '../../identity/identity-settings.ts';
import { isForgotten, writeSessionCookie } from '../../identity/sessions/session-cookie.ts';
import type { AuthVisit, CallLibrary } from './call-identity-library.ts';

export interface PasswordRouteDeps extends ChangePasswordDeps {
  readonly settings: IdentitySettings;
  readonly callLibrary: CallLibrary;
}

export type AuthHandler = (visit: AuthVisit) => Promise<Response>;

/** By path below `/api/auth`; all other routes go straight to the library. */
export function passwordRoutes(deps: PasswordRouteDeps): Readonly<Record<string, AuthHandler>> {
  const { db, clock, passwords, settings, callLibrary } = deps;
  const guesses = createGuessLimit();

  const marked = (answer: Response, email: string): Response => {
    answer.headers.append('set-cookie', markBrowser(email, AUTH_PATH, settings));
    return answer;
  };

  const signUp: AuthHandler = async (visit) => {
    const { email, password } = visit.body as { email: string; password: string };
    const hash = await passwords.hashing.hash(password);
    return marked(await passwords.prepared(password, hash, () => callLibrary(visit)), email);
  };

  const signIn: AuthHandler = async (visit) => {
    const { email } = visit.body as { email: string };
    const known = isMarked(visit.request.headers.get('cookie'), email, settings);
    return marked(await guesses.guard({ email, network: visit.network, known }, () => callLibrary(visit)), email);
  };

  const change: AuthHandler = async (visit) => {
    const { user, sessionId, expiresAt } = signedIn(visit);
    const {
      currentPassword,
      newPassword,
      revokeOtherSessions = true,
      keepTokens = false,
    } = visit.body as {
      currentPassword: string;
      newPassword: string;
      revokeOtherSessions?: boolean;
      keepTokens?: boolean;
    };
    const token = await guesses.guard({ email: user.email, network: visit.network, known: true }, () =>
      changePassword(deps, {
        userId: user.id,
        sessionId,
        currentPassword,
        newPassword,
        keepSessions: !revokeOtherSessions,
        keepTokens,
      }),
    );
    const forgotten = isForgotten(visit.request.headers.get('cookie') ?? '', settings);
    const lifeSeconds = forgotten ? undefined : Math.floor((expiresAt.getTime() - clock().getTime()) / 1000);
    return answered({ user }, writeSessionCookie(token, lifeSeconds, settings));
  };

  const endSessions =
    (which: 'all' | 'others'): AuthHandler =>
    async (visit) => {
      const { user, sessionId } = signedIn(visit);
      const { keepTokens = false } = visit.body as { keepTokens?: boolean };
      await db.transaction((tx) => endAccess(tx, deps, { userId: user.id, sessions: which, sessionId, keepTokens }));
      return answered({ status: true }, which === 'all' ? writeSessionCookie('', 0, settings) : undefined);
    };

  return {
    '/sign-up/email': signUp,
    '/sign-in/email': signIn,
    '/change-password': change,
    '/revoke-sessions': endSessions('all'),
    '/revoke-other-sessions': endSessions('others'),
  };
}

function signedIn({ session }: AuthVisit): Session {
  if (!session) throw new AppError('unauthenticated');
  return session;
}

function answered(body: unknown, setCookie?: string): Response {
  return Response.json(body, {
    headers: { 'cache-control': 'no-store', ...(setCookie === undefined ? {} : { 'set-cookie': setCookie }) },
  });
}
