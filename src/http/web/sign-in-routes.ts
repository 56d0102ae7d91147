// The identity routes that begin a session: a password, the code that it may ask for, a passkey.
import type { UsedPasskey } from '../../contract/account/account.ts';
import { AppError } from '../../base/errors.ts';
import { AUTH_PATH } from '../../identity/create-auth.ts';
import { CHALLENGE_MINUTES } from '../../identity/factors/challenges.ts';
import { askForPasskey, verifyPasskey } from '../../identity/factors/use-passkey.ts';
import { acceptsPassword } from '../../identity/openid/openid-settings.ts';
import { findLink } from '../../identity/openid/pending-link.ts';
import type { OpenIdProvider } from '../../identity/openid/provider.ts';
import type { IdentitySettings } from '../../identity/identity-settings.ts';
import { isMarked, markBrowser } from '../../identity/passwords/guess-limit.ts';
import { beginSession } from '../../identity/sessions/begin-session.ts';
import {
  COOKIE_PREFIX,
  findCookie,
  isForgotten,
  writeCookie,
  writeForgotten,
} from '../../identity/sessions/session-cookie.ts';
import {
  type SignedIn,
  type SignInDeps,
  signInByPassword,
  signInBySecondFactor,
  type Visitor,
} from '../../identity/sign-in/sign-in-by-password.ts';
import type { AuthHandler } from './password-routes.ts';
import type { AuthVisit } from './call-identity-library.ts';
import { noteSignIn, type NoteSignInDeps } from './note-sign-in.ts';

export interface SignInRouteDeps extends Omit<SignInDeps, 'db'>, NoteSignInDeps {
  readonly settings: IdentitySettings;
  readonly openid: OpenIdProvider | undefined;
}

/** The secret of the question for a second factor; no script reads it. */
const QUESTION = `${COOKIE_PREFIX}.second_factor`;

export function signInRoutes(deps: SignInRouteDeps): Readonly<Record<string, AuthHandler>> {
  const { settings, openid } = deps;
  const question = (value: string, lifeSeconds: number): string =>
    writeCookie({ name: QUESTION, value, path: AUTH_PATH, lifeSeconds }, settings);
  const cookiesOf = ({ request }: AuthVisit): string => request.headers.get('cookie') ?? '';

  const enter = async (visit: AuthVisit, { user, session, remember }: SignedIn): Promise<Response> => {
    const sent = cookiesOf(visit);
    const known = isMarked(sent, user.email, settings);
    await noteSignIn(deps, { email: user.email, known, address: visit.address, headers: visit.request.headers });
    return answered({ user }, [
      session,
      ...(remember === isForgotten(sent, settings) ? [writeForgotten(!remember, settings)] : []),
      ...(findCookie(sent, QUESTION) === undefined ? [] : [question('', 0)]),
      markBrowser(user.email, AUTH_PATH, settings),
    ]);
  };

  return {
    '/sign-in/email': async (visit) => {
      const {
        email,
        password,
        rememberMe = true,
      } = visit.body as {
        email: string;
        password: string;
        rememberMe?: boolean;
      };
      const sent = cookiesOf(visit);
      // An account that is to be connected is proven by its password, even where the provider is the only way in.
      if (!acceptsPassword(openid?.settings, email) && findLink(deps, sent)?.email !== email)
        throw new AppError('password_sign_in_closed');
      const known = isMarked(sent, email, settings);
      const outcome = await signInByPassword(deps, { email, password, remember: rememberMe, known }, visitorOf(visit));
      if (!('question' in outcome)) return enter(visit, outcome);
      return answered({ secondFactor: true }, [question(outcome.question, CHALLENGE_MINUTES * 60)]);
    },

    '/second-factor': async (visit) => {
      const { code } = visit.body as { code: string };
      const sent = cookiesOf(visit);
      const asked = findCookie(sent, QUESTION);
      if (asked === undefined) throw new AppError('challenge_expired');
      const isKnown = (email: string): boolean => isMarked(sent, email, settings);
      return enter(visit, await signInBySecondFactor(deps, { question: asked, code, isKnown }, visitorOf(visit)));
    },

    '/passkey/options': async (visit) => {
      const { rememberMe = true } = visit.body as { rememberMe?: boolean };
      return answered(await askForPasskey(deps, { kind: 'passkey-sign-in', remember: rememberMe }), []);
    },

    '/passkey': async (visit) => {
      const { passkey } = visit.body as { passkey: UsedPasskey };
      const { userId, name, email, remember } = await verifyPasskey(deps, 'passkey-sign-in', passkey);
      if (!acceptsPassword(openid?.settings, email)) throw new AppError('password_sign_in_closed');
      const { address, userAgent } = visitorOf(visit);
      // The authenticator checked a finger, a face or a PIN: having it and being its owner are two factors.
      const start = { userId, method: 'passkey', secondFactor: true, address, userAgent, remember } as const;
      const session = await beginSession(deps, start);
      return enter(visit, { user: { id: userId, name, email }, session, remember });
    },
  };
}

function visitorOf({ address, network, request }: AuthVisit): Visitor {
  return { address, network, userAgent: request.headers.get('user-agent') ?? '' };
}

function answered(body: unknown, cookies: readonly string[]): Response {
  const headers = new Headers({ 'cache-control': 'no-store' });
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  return Response.json(body, { headers });
}
