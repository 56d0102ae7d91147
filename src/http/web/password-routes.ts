// The identity routes that make or change a password or end access. Passwords are hashed while no transaction is open; guesses
// are counted before they are checked.
import { AppError } from '../../base/errors.ts';
import { changePassword, type ChangePasswordDeps } from '../../identity/passwords/change-password.ts';
import { AUTH_PATH } from '../../identity/create-auth.ts';
import { endAccess } from '../../identity/sessions/end-access.ts';
import type { Session } from '../../identity/sessions/find-session.ts';
import { type GuessLimit, markBrowser } from '../../identity/passwords/guess-limit.ts';
import type { IdentitySettings } from '../../identity/identity-settings.ts';
import { acceptsPassword } from '../../identity/openid/openid-settings.ts';
import type { OpenIdProvider } from '../../identity/openid/provider.ts';
import { findHint } from '../../identity/openid/sign-out-hint.ts';
import { isForgotten, writeSessionCookie } from '../../identity/sessions/session-cookie.ts';
import type { RequireGoodPassword } from '../../identity/passwords/password-rules.ts';
import type { AuthVisit, CallLibrary } from './call-identity-library.ts';
import { noteSignIn, type NoteSignInDeps } from './note-sign-in.ts';

export interface PasswordRouteDeps extends Omit<ChangePasswordDeps, 'mailer'>, Omit<NoteSignInDeps, 'db' | 'clock'> {
  readonly requireGoodPassword: RequireGoodPassword;
  readonly settings: IdentitySettings;
  readonly openid: OpenIdProvider | undefined;
  readonly callLibrary: CallLibrary;
  readonly guesses: GuessLimit;
}

export type AuthHandler = (visit: AuthVisit) => Promise<Response>;

/** By path below `/api/auth`; all other routes go straight to the library. */
export function passwordRoutes(deps: PasswordRouteDeps): Readonly<Record<string, AuthHandler>> {
  const { db, clock, passwords, settings, openid, callLibrary, guesses } = deps;

  const signUp: AuthHandler = async (visit) => {
    const { name, email, password } = visit.body as { name: string; email: string; password: string };
    if (!acceptsPassword(openid?.settings, email)) throw new AppError('password_sign_in_closed');
    deps.requireGoodPassword(password, { name, email });
    const hash = await passwords.hashing.hash(password);
    const answer = await passwords.prepared(password, hash, () => callLibrary(visit));
    await noteSignIn(deps, { email, known: true, address: visit.address, headers: visit.request.headers });
    answer.headers.append('set-cookie', markBrowser(email, AUTH_PATH, settings));
    return answer;
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
    deps.requireGoodPassword(newPassword, user);
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

  const signOut: AuthHandler = async (visit) => {
    const answer = await callLibrary(visit);
    if (!openid?.offersSignOut()) return answer;
    const hint = findHint(visit.request.headers.get('cookie'), settings);
    return hint ? Response.json({ success: true, provider: openid.settings.name }, answer) : answer;
  };

  return {
    '/sign-out': signOut,
    '/sign-up/email': signUp,
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
