// Identity over HTTP: the routes of the identity library that the service offers, with the service's own validation,
// limits, origin check and error shape.
//
// The device flow (RFC 8628) is for `servicectl login`. Its access token is a session token: as a bearer token it gives
// access to the same API as the browser's cookie, so the CLI mints its connect token at POST /api/tokens, and signs out
// at POST /api/auth/sign-out. The page /device first reads GET /api/auth/device?user_code=…, which claims the code for
// the signed-in person, then posts {userCode} to /api/auth/device/approve or /api/auth/device/deny.
import type { KeyObject } from 'node:crypto';
import type { Env, Hono } from 'hono';
import { readAuthorization } from '../../net/authorization.ts';
import { callerNetwork } from '../../net/caller-network.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import { noteRequest } from '../../telemetry/request-scope.ts';
import { SIGN_IN_OPTIONS_PATH, type SignInOptions } from '../../contract/sign-in-options.ts';
import { AUTH_PATH, createAuth } from '../../identity/create-auth.ts';
import { findSession } from '../../identity/sessions/find-session.ts';
import type { IdentitySettings } from '../../identity/identity-settings.ts';
import type { GuessLimit } from '../../identity/passwords/guess-limit.ts';
import type { RequireGoodPassword } from '../../identity/passwords/password-rules.ts';
import type { OpenIdProvider } from '../../identity/openid/provider.ts';
import type { Passwords } from '../../identity/passwords/passwords.ts';
import { pruneIdentity } from '../../identity/prune-identity.ts';
import type { Mailer } from '../../mail/mailer.ts';
import type { Database } from '../../store/database.ts';
import type { SignUpRules } from '../../tenancy/members/sign-up-rules.ts';
import { type NewPerson, requireSignUp } from '../../tenancy/members/require-sign-up.ts';
import { refuseForeignOrigin } from '../shell/check-origin.ts';
import { clientAddress } from '../shell/client-address.ts';
import { errorResponse } from '../shell/write-error.ts';
import { createAdmission, type Admission } from '../shell/admission/admission.ts';
import { tenancyTokens } from '../shell/tenancy-tokens.ts';
import { noteRoute, type PlainRoutes, plainRoutes, anonymousSender } from '../shell/plain-routes.ts';
import { parseFields } from '../../base/parse-json.ts';
import { validate } from '../shell/validate.ts';
import { AUTH_ROUTES } from './auth-routes.ts';
import { createLibraryCall } from './call-identity-library.ts';
import { deviceRoutes } from './device-routes.ts';
import { mountOpenId } from './openid-routes.ts';
import { type AuthHandler, passwordRoutes } from './password-routes.ts';
import { resetRoutes } from './reset-routes.ts';
import { signInRoutes } from './sign-in-routes.ts';

export interface IdentityDeps {
  readonly db: Database;
  readonly log: Log;
  /** From `readIdentitySettings(config)`. */
  readonly settings: IdentitySettings;
  /** From `connectKey(config)`. */
  readonly key: KeyObject;
  /** From `readSignUpRules(config)`. */
  readonly rules: Pick<SignUpRules, 'signUp'>;
  readonly admission?: Admission;
  readonly clock?: Clock;
  readonly passwords: Passwords;
  readonly guesses: GuessLimit;
  readonly requireGoodPassword: RequireGoodPassword;
  readonly mailer: Mailer;
  readonly openid?: OpenIdProvider | undefined;
}

const PRUNE_EVERY_MS = 10 * 60_000;

export function mountIdentity<E extends Env>(app: Hono<E>, deps: IdentityDeps): void {
  const { db, log, settings, rules, mailer, openid, admission = createAdmission(), clock = systemClock } = deps;
  const { passwords, guesses, requireGoodPassword } = deps;
  const callLibrary = createLibraryCall(createAuth({ db, log, settings, passwords }), settings);
  const tokens = tenancyTokens({ db, clock, key: deps.key });
  const common = {
    db,
    log,
    clock,
    mailer,
    openid,
    settings,
    passwords,
    guesses,
    requireGoodPassword,
    callLibrary,
    ...tokens,
  };
  const handlers: Readonly<Record<string, AuthHandler>> = {
    ...passwordRoutes(common),
    ...resetRoutes(common),
    ...signInRoutes(common),
    ...deviceRoutes(common),
  };
  const pruneWhenDue = createPruning(db, log, clock);
  mountOpenId(plainRoutes(app, admission), {
    db,
    log,
    clock,
    settings,
    openid,
    revokeTokensOfSession: tokens.revokeTokensOfSession,
    pruneWhenDue,
  });

  /** The library does not know invitations: it gets the other fields. */
  async function admit({ invitation, ...person }: NewPerson): Promise<unknown> {
    await requireSignUp(db, clock, rules.signUp, { ...person, invitation });
    return person;
  }

  async function handle(request: Request, address: string): Promise<Response> {
    const url = new URL(request.url);
    const path = url.pathname.slice(AUTH_PATH.length);
    const route = AUTH_ROUTES[`${request.method} ${path}`];
    if (!route) throw new AppError('not_found');
    noteRequest({ route: url.pathname });
    const network = callerNetwork(address);
    admission.attempt(route.attempt, network);
    const authorization = readAuthorization(request.headers);
    if (authorization.kind === 'malformed') throw new AppError('unauthenticated');
    if (request.method === 'POST' && authorization.kind === 'absent') refuseForeignOrigin(request, settings.publicUrl);
    // Checked before the input is read; a route without input leaves this to the library.
    const session =
      route.signedIn && (route.query ?? route.body)
        ? await findSession({ db, settings, clock }, request.headers)
        : undefined;
    if (route.signedIn && (route.query ?? route.body) && !session) throw new AppError('unauthenticated');
    if (route.query) validate(route.query, Object.fromEntries(url.searchParams));
    if (route.makesAccount && rules.signUp === 'closed') throw new AppError('sign_up_closed');
    pruneWhenDue();
    const sender = session ? { userId: session.user.id } : ({ userId: network, stranger: true } as const);
    const admitted = { cost: route.cost, body: route.body && ('identity' as const) };
    return admission.serve(admitted, sender, request, async (sent) => {
      const fields = route.body && validate(route.body, parseFields(sent, request.headers.get('content-type')));
      const body = route.makesAccount ? await admit(fields as NewPerson) : fields;
      return (handlers[path] ?? callLibrary)({ request, url, body, address, network, session });
    });
  }

  app.all(`${AUTH_PATH}/*`, async (c) => {
    try {
      return await handle(c.req.raw, clientAddress(c.req.raw, c.env));
    } catch (error) {
      return errorResponse(error, log);
    }
  });

  for (const [name, { cost, body }] of Object.entries(AUTH_ROUTES)) {
    const [method = '', path = ''] = name.split(' ');
    noteRoute(app, { method, path: AUTH_PATH + path, cost, body: body && 'identity' });
  }

  mountOptions(plainRoutes(app, admission), deps);
}

function mountOptions(routes: PlainRoutes, { rules, openid, mailer }: IdentityDeps): void {
  const options: SignInOptions = {
    signUp: rules.signUp,
    ...(openid ? { openid: { name: openid.settings.name, only: openid.settings.only } } : {}),
    mail: mailer.configured,
  };
  routes.on({
    method: 'GET',
    path: SIGN_IN_OPTIONS_PATH,
    cost: 'cheap',
    identify: anonymousSender,
    handle: () => Response.json(options, { headers: { 'cache-control': 'no-store' } }),
  });
}

/** Expired rows are deleted in the background, triggered by requests; an idle service has none to prune. */
function createPruning(db: Database, log: Log, clock: Clock): () => void {
  let next = 0;
  return () => {
    const now = clock();
    if (now.getTime() < next) return;
    next = now.getTime() + PRUNE_EVERY_MS;
    pruneIdentity(db, now).catch((error: unknown) => log.warn({ err: error }, 'could not prune identity'));
  };
}
