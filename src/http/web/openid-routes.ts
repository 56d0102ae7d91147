// Sign-in through the OpenID provider: the two steps of the browser, connecting an account that was there before, and the
// end of sessions. Whatever goes wrong in a step of the browser leads to the sign-in page, which says it in words.
import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { parseFields } from '../../base/parse-json.ts';
import { safeNext } from '../../contract/accounts/safe-next.ts';
import { endProviderSessions } from '../../identity/openid/end-provider-sessions.ts';
import { findLink, forgetLink } from '../../identity/openid/pending-link.ts';
import type { OpenIdProvider } from '../../identity/openid/provider.ts';
import { connectAccount } from '../../identity/openid/resolve-person.ts';
import { readState } from '../../identity/openid/sign-in-state.ts';
import { findSession } from '../../identity/sessions/find-session.ts';
import { reportFailure } from '../../telemetry/report-failure.ts';
import { refuseForeignOrigin } from '../shell/check-origin.ts';
import { clientAddress } from '../shell/client-address.ts';
import { anonymousSender, type PlainRoutes } from '../shell/plain-routes.ts';
import { validate } from '../shell/validate.ts';
import { errorResponse } from '../shell/write-error.ts';
import {
  answered,
  finishSignIn,
  getSession,
  type OpenIdStepDeps,
  originOf,
  redirect,
  signOutAtProvider,
  startSignIn,
  type Visit,
} from './openid-steps.ts';

export const OPENID_PATHS = {
  start: '/api/auth/openid/start',
  callback: '/api/auth/openid/callback',
  link: '/api/auth/openid/link',
  signOut: '/api/auth/openid/sign-out',
  logout: '/api/auth/openid/logout',
} as const;

export const startQuery = z.object({ next: z.string().max(2_000).optional(), proof: z.literal('1').optional() });
export const logoutForm = z.object({ logout_token: z.string().min(1).max(12_000) });
export const linkAnswer = z.object({
  link: z.object({ provider: z.string(), email: z.string(), signedInAs: z.string().optional() }),
});

export interface OpenIdRouteDeps extends OpenIdStepDeps {
  /** Without it every route answers `openid_not_configured`. */
  readonly openid: OpenIdProvider | undefined;
  readonly pruneWhenDue: () => void;
}

export function mountOpenId(routes: PlainRoutes, deps: OpenIdRouteDeps): void {
  const { log } = deps;
  const identify = anonymousSender;
  const provider = (): OpenIdProvider => {
    if (!deps.openid) throw new AppError('openid_not_configured');
    return deps.openid;
  };
  const fail = (error: unknown): Response => errorResponse(error, log);
  /** For the steps of a browser. */
  const step = (
    path: string,
    run: (visit: Visit, openid: OpenIdProvider) => Promise<Response>,
    nextOf: (request: Request) => string | null | undefined,
  ): void =>
    routes.on({
      method: 'GET',
      path,
      cost: 'provider',
      attempt: 'openid',
      identify,
      handle: (c) => run({ request: c.req.raw, address: clientAddress(c.req.raw, c.env) }, provider()),
      fail: (error, c) => backToSignIn(error, nextOf(c.req.raw), deps),
    });

  step(
    OPENID_PATHS.start,
    ({ request }, openid) => {
      deps.pruneWhenDue();
      const { next, proof } = validate(startQuery, Object.fromEntries(new URL(request.url).searchParams));
      return startSignIn(deps, openid, request, { next, proof: proof !== undefined });
    },
    (request) => new URL(request.url).searchParams.get('next'),
  );
  step(
    OPENID_PATHS.callback,
    (visit, openid) => finishSignIn(deps, openid, visit),
    (request) => readState(deps, request.headers.get('cookie'))?.next,
  );
  step(
    OPENID_PATHS.signOut,
    (visit, openid) => signOutAtProvider(deps, openid, visit),
    () => undefined,
  );
  mountLink(routes, deps, provider);

  routes.on({
    method: 'POST',
    path: OPENID_PATHS.logout,
    cost: 'database',
    body: 'identity',
    attempt: 'openid-logout',
    identify,
    fail,
    async handle(c, _sender, body) {
      const fields = validate(logoutForm, parseFields(body, c.req.header('content-type') ?? null));
      await endProviderSessions({ ...deps, provider: provider() }, fields.logout_token);
      return answered({ ok: true });
    },
  });
}

/** An account that was there before is connected by a session of it. */
function mountLink(routes: PlainRoutes, deps: OpenIdRouteDeps, provider: () => OpenIdProvider): void {
  const { db, clock, log, settings } = deps;
  const identify = anonymousSender;
  const fail = (error: unknown): Response => errorResponse(error, log);
  routes.on({
    method: 'GET',
    path: OPENID_PATHS.link,
    cost: 'database',
    attempt: 'account',
    identify,
    fail,
    async handle(c) {
      const { name } = provider().settings;
      const link = getLink(deps, c.req.raw);
      const session = await findSession({ db, settings, clock }, c.req.raw.headers);
      return answered({
        link: { provider: name, email: link.email, ...(session ? { signedInAs: session.user.email } : {}) },
      } satisfies z.infer<typeof linkAnswer>);
    },
  });
  routes.on({
    method: 'POST',
    path: OPENID_PATHS.link,
    cost: 'database',
    attempt: 'account',
    identify,
    fail,
    async handle(c) {
      refuseForeignOrigin(c.req.raw, settings.publicUrl);
      provider();
      const session = await getSession(deps, c.req.raw);
      const link = getLink(deps, c.req.raw);
      if (session.user.email !== link.email) throw new AppError('openid_link_other_account');
      await connectAccount(db, clock, session.user.id, link);
      // The session that follows is the provider's, with what its groups give.
      const next = `${OPENID_PATHS.start}?${new URLSearchParams({ next: link.next })}`;
      return answered({ next }, [forgetLink(deps)]);
    },
  });
}

function getLink(deps: OpenIdRouteDeps, request: Request): NonNullable<ReturnType<typeof findLink>> {
  const link = findLink(deps, request.headers.get('cookie'));
  if (!link) throw new AppError('openid_link_gone');
  return link;
}

/** A request that no browser of ours sends is answered as by any other route. */
function backToSignIn(error: unknown, next: string | null | undefined, deps: OpenIdRouteDeps): Response {
  const code = error instanceof AppError ? error.code : 'internal';
  if (code === 'invalid_request' || code === 'openid_not_configured') return errorResponse(error, deps.log);
  reportFailure(deps.log, error);
  const path = safeNext(next, originOf(deps));
  return redirect(`/sign-in?${new URLSearchParams({ error: code, ...(path === '/' ? {} : { next: path }) })}`);
}
