// The steps of a browser that signs in through the OpenID provider, and what follows from the provider's answer: a session,
// a fresh proof for the session that asked for it, or an account that has to be proven before it is connected.
import { AppError } from '../../base/errors.ts';
import { requireText } from '../../base/parse-json.ts';
import type { Clock } from '../../base/clock.ts';
import { safeNext } from '../../contract/accounts/safe-next.ts';
import { decideMemberships } from '../../identity/openid/groups-table.ts';
import { keepLink } from '../../identity/openid/pending-link.ts';
import { CLOCK_SKEW_SECONDS, type OpenIdProvider, type ProviderTokens } from '../../identity/openid/provider.ts';
import { type ProviderPerson, readClaims, wantedClaims } from '../../identity/openid/read-claims.ts';
import { isConnected, resolvePerson } from '../../identity/openid/resolve-person.ts';
import { forgetHint, findHint, keepHint } from '../../identity/openid/sign-out-hint.ts';
import {
  forgetState,
  readState,
  secretsOf,
  type SignInState,
  startState,
  useState,
} from '../../identity/openid/sign-in-state.ts';
import type { IdentitySettings } from '../../identity/identity-settings.ts';
import { beginSession } from '../../identity/sessions/begin-session.ts';
import { endSession, type EndSessionDeps } from '../../identity/sessions/end-session.ts';
import { findSession, type Session } from '../../identity/sessions/find-session.ts';
import { renewProof } from '../../identity/sessions/require-proof.ts';
import type { Database } from '../../store/database.ts';
import type { Log } from '../../telemetry/log.ts';
import { giveMemberships } from '../../tenancy/members/give-memberships.ts';

export interface OpenIdStepDeps extends EndSessionDeps {
  readonly db: Database;
  readonly log: Log;
  readonly clock: Clock;
  readonly settings: IdentitySettings;
}

/** A request of a browser, and where it comes from. */
export interface Visit {
  readonly request: Request;
  readonly address: string;
}

/** `proof`: for the signed-in person's session, who then signs in at the provider again. */
export async function startSignIn(
  deps: OpenIdStepDeps,
  openid: OpenIdProvider,
  request: Request,
  { next, proof }: { readonly next?: string | undefined; readonly proof: boolean },
): Promise<Response> {
  const session = proof ? await getSession(deps, request) : undefined;
  const { state, cookie } = startState(deps, {
    next: safeNext(next, originOf(deps)),
    ...(session ? { proves: session.sessionId } : {}),
  });
  const url = await openid.authorizationUrl({
    state: state.state,
    ...secretsOf(state, deps.settings),
    fresh: session !== undefined,
  });
  return redirect(url, [cookie]);
}

export async function finishSignIn(deps: OpenIdStepDeps, openid: OpenIdProvider, visit: Visit): Promise<Response> {
  const { search, searchParams } = new URL(visit.request.url);
  requireText(Object.fromEntries(searchParams));
  const started = await useState(deps, readState(deps, visit.request.headers.get('cookie')), searchParams.get('state'));
  const tokens = await openid.redeem({
    search,
    state: started.state,
    ...secretsOf(started, deps.settings),
    wanted: wantedClaims(openid.settings),
  });
  const person = readClaims(tokens, openid.settings);
  if (started.proves !== undefined) return finishProof(deps, visit, { started, person, tokens });
  const resolved = await resolvePerson(deps.db, deps.clock, person);
  if (resolved.kind === 'link') {
    const { issuer, subject } = person;
    const cookie = keepLink(deps, { issuer, subject, email: resolved.email, next: started.next });
    return redirect('/connect-account', [cookie, forgetState(deps)]);
  }
  await applyGroups(deps, openid, resolved.userId, person);
  return signIn(deps, visit, { userId: resolved.userId, started, person, tokens });
}

interface Finished {
  readonly started: SignInState;
  readonly person: ProviderPerson;
  readonly tokens: ProviderTokens;
}

async function signIn(
  deps: OpenIdStepDeps,
  { request, address }: Visit,
  { userId, started, person, tokens }: Finished & { readonly userId: string },
): Promise<Response> {
  const { issuer, subject, session } = person;
  const before = await findSession(deps, request.headers);
  const cookie = await beginSession(deps, {
    userId,
    method: 'openid',
    secondFactor: person.secondFactor,
    address,
    userAgent: (request.headers.get('user-agent') ?? '').slice(0, 500),
    provider: { issuer, subject, ...(session === undefined ? {} : { session }) },
  });
  // The browser forgets the session that it had.
  if (before) {
    const ended = { userId: before.user.id, sessionId: before.sessionId };
    await deps.db.transaction((tx) => endSession(tx, deps, ended));
  }
  const cookies = [cookie, forgetState(deps), keepHint(tokens.idToken, deps.settings)];
  return redirect(safeNext(started.next, originOf(deps)), cookies);
}

/** Only the person whose session asked for it, and only if they have just signed in at the provider. */
async function finishProof(
  deps: OpenIdStepDeps,
  { request }: Visit,
  { started, person, tokens }: Finished,
): Promise<Response> {
  const session = await getSession(deps, request);
  if (session.sessionId !== started.proves) throw new AppError('openid_state_invalid');
  if (!(await isConnected(deps.db, session.user.id, person))) throw new AppError('openid_link_other_account');
  if ((person.authTimeMs ?? 0) < started.startedAtMs - CLOCK_SKEW_SECONDS * 1000)
    throw new AppError('openid_not_fresh');
  await renewProof(deps.db, deps.clock, { sessionId: session.sessionId, withPasskey: false });
  const cookies = [forgetState(deps), keepHint(tokens.idToken, deps.settings)];
  return redirect(safeNext(started.next, originOf(deps)), cookies);
}

async function applyGroups(
  { db, log }: OpenIdStepDeps,
  { settings }: OpenIdProvider,
  userId: string,
  { groups }: ProviderPerson,
): Promise<void> {
  if (!settings.groups) return;
  if (!groups) return log.warn({ userId }, 'the OpenID provider left out the groups of a person: they have too many');
  const notGiven = await giveMemberships(db, userId, decideMemberships(settings.groups, groups));
  for (const [organization, reason] of notGiven)
    log.warn({ userId, organization, reason }, 'a group of the OpenID provider could not be applied');
}

export async function signOutAtProvider(
  deps: OpenIdStepDeps,
  openid: OpenIdProvider,
  { request }: Visit,
): Promise<Response> {
  const hint = findHint(request.headers.get('cookie'), deps.settings);
  const url = hint && (await openid.signOutUrl(hint.idToken));
  return redirect(url ?? '/sign-in', [forgetHint(deps.settings)]);
}

export async function getSession({ db, settings, clock }: OpenIdStepDeps, request: Request): Promise<Session> {
  const session = await findSession({ db, settings, clock }, request.headers);
  if (!session) throw new AppError('unauthenticated');
  return session;
}

export function originOf({ settings }: OpenIdStepDeps): string {
  return new URL(settings.publicUrl).origin;
}

export function redirect(location: string, cookies: readonly string[] = []): Response {
  return withCookies(new Response(null, { status: 302, headers: { location, 'cache-control': 'no-store' } }), cookies);
}

export function answered(body: object, cookies: readonly string[] = []): Response {
  return withCookies(Response.json(body, { headers: { 'cache-control': 'no-store' } }), cookies);
}

function withCookies(response: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) response.headers.append('set-cookie', cookie);
  return response;
}
