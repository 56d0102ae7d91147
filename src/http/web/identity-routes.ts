// Identity on the wire: the routes of the identity library that the service offers, behind the service's own
// validation, limits, origin check and error shape, and OAuth for MCP clients.
//
// The device flow (RFC 8628) serves `servicectl login`. Its access token is a session token: as a bearer token it
// opens the same API as the browser's cookie, so the CLI mints its connect token at POST /api/tokens, and signs out
// at POST /api/auth/sign-out. The page /device first reads GET /api/auth/device?user_code=…, which claims the code
// for the signed-in person, then posts {userCode} to /api/auth/device/approve or /api/auth/device/deny.
import type { KeyObject } from 'node:crypto';
import type { Env, Hono } from 'hono';
import type { z } from 'zod';
import { type Clock, systemClock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { createAttemptLimit } from '../../identity/attempt-limit.ts';
import { ADDRESS_HEADER, AUTH_PATH, createAuth } from '../../identity/create-auth.ts';
import { bearerToken, findSession } from '../../identity/find-session.ts';
import type { IdentitySettings } from '../../identity/identity-settings.ts';
import { pruneIdentity } from '../../identity/prune-identity.ts';
import { sessionCookieName, signSessionToken } from '../../identity/session-cookie.ts';
import type { Database } from '../../store/database.ts';
import type { EntranceRules } from '../../tenancy/entrance-rules.ts';
import { type NewPerson, requireSignUp } from '../../tenancy/require-sign-up.ts';
import { refuseForeignOrigin } from '../check-origin.ts';
import { clientAddress } from '../client-address.ts';
import { errorResponse } from '../error-response.ts';
import { mountOAuth } from '../oauth/mount-oauth.ts';
import { readFields } from '../read-body.ts';
import { AUTH_ROUTES } from './auth-routes.ts';
import { SIGN_IN_OPTIONS_PATH, type SignInOptions } from '../../contract/sign-in-options.ts';
import { deviceRefusal, identityRefusal } from './identity-errors.ts';
import { createRequestLimits, refuseWhile, retryAfter } from './request-limits.ts';

export interface IdentityDeps {
  readonly db: Database;
  readonly log: Log;
  /** From `readIdentitySettings(config)`. */
  readonly settings: IdentitySettings;
  /** From `connectKey(config)`. */
  readonly key: KeyObject;
  /** From `readEntranceRules(config)`. */
  readonly rules: Pick<EntranceRules, 'signUp'>;
  readonly clock?: Clock;
}

const BODY_LIMIT_BYTES = 16 * 1024;
const FAILURE_WINDOW_MS = 5 * 60_000;
const PRUNE_EVERY_MS = 10 * 60_000;

export function mountIdentity<E extends Env>(app: Hono<E>, deps: IdentityDeps): void {
  const { db, log, settings, rules, clock = systemClock } = deps;
  const auth = createAuth(deps);
  const limits = createRequestLimits();
  const failures = { ofAccount: createAttemptLimit({ max: 10, windowMs: FAILURE_WINDOW_MS }), ofAddress: createAttemptLimit({ max: 200, windowMs: FAILURE_WINDOW_MS }) };
  const pruneWhenDue = createPruning(db, log, clock);

  /** The library knows of no invitations: it gets the fields without. */
  async function admit({ invitation, ...person }: NewPerson): Promise<unknown> {
    await requireSignUp(db, clock, rules.signUp, { ...person, invitation });
    return person;
  }

  async function handle(request: Request, address: string): Promise<Response> {
    const url = new URL(request.url);
    const route = AUTH_ROUTES[`${request.method} ${url.pathname.slice(AUTH_PATH.length)}`];
    if (!route) throw new AppError('not_found');
    limits.check(route.limit, address);
    if (request.method === 'POST' && bearerToken(request.headers) === undefined) refuseForeignOrigin(request, settings.publicUrl);
    // Before what they sent is looked at; a route that reads nothing leaves the question to the library.
    if (route.signedIn && (route.query ?? route.body) && !(await findSession({ db, settings, clock }, request.headers))) throw new AppError('unauthenticated');
    if (route.query) validate(route.query, Object.fromEntries(url.searchParams));
    if (route.makesAccount && rules.signUp === 'closed') throw new AppError('sign_up_closed');
    const fields = route.body && validate(route.body, await readFields(request, BODY_LIMIT_BYTES));
    const body = route.makesAccount ? await admit(fields as NewPerson) : fields;
    pruneWhenDue();

    const account = `${address} ${String((body as { email?: unknown } | undefined)?.email ?? '')}`;
    const guarded = url.pathname.endsWith('/email') || url.pathname.endsWith('/change-password');
    if (guarded) refuseWhile(failures.ofAccount.wait(account) ?? failures.ofAddress.wait(address));
    const answer = await auth.handler(toLibrary(request, url, body, address, settings));
    if (answer.ok) return withoutToken(answer, url.pathname);

    const refusal = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
    const ofDevice = url.pathname.startsWith(`${AUTH_PATH}/device`) ? deviceRefusal(answer.status, refusal) : undefined;
    if (ofDevice) return ofDevice;
    const error = identityRefusal(answer.status, refusal);
    if (guarded && error instanceof AppError && (error.code === 'invalid_credentials' || error.code === 'user_exists')) {
      failures.ofAccount.take(account);
      failures.ofAddress.take(address);
    }
    throw error;
  }

  app.all(`${AUTH_PATH}/*`, async (c) => {
    try {
      return await handle(c.req.raw, clientAddress(c.req.raw, c.env));
    } catch (error) {
      return errorResponse(error, log, retryAfter(error));
    }
  });

  app.get(SIGN_IN_OPTIONS_PATH, () => Response.json({ signUp: rules.signUp } satisfies SignInOptions, { headers: { 'cache-control': 'no-store' } }));

  mountOAuth(app, { ...deps, clock, limits });
}

function validate(schema: z.ZodType, fields: unknown): unknown {
  const parsed = schema.safeParse(fields);
  if (parsed.success) return parsed.data;
  throw new AppError('invalid_request', Object.fromEntries(parsed.error.issues.map((issue) => [issue.path.join('.') || 'body', issue.message])));
}

/** The library sees only what it needs: checked fields, the session, and where the caller is. */
function toLibrary(request: Request, url: URL, body: unknown, address: string, settings: IdentitySettings): Request {
  const headers = new Headers({ [ADDRESS_HEADER]: address, 'user-agent': request.headers.get('user-agent') ?? '' });
  const bearer = bearerToken(request.headers);
  const cookie = bearer === undefined ? request.headers.get('cookie') : `${sessionCookieName(settings)}=${encodeURIComponent(signSessionToken(bearer, settings.authSecret))}`;
  if (cookie !== null) headers.set('cookie', cookie);
  if (request.method === 'GET') return new Request(url, { headers });
  headers.set('content-type', 'application/json');
  return new Request(url, { method: request.method, headers, body: JSON.stringify(body ?? {}) });
}

/** A browser's session lives in a cookie that scripts cannot read; an answer that repeats its token would undo that. */
async function withoutToken(answer: Response, path: string): Promise<Response> {
  const headers = new Headers(answer.headers);
  headers.set('cache-control', 'no-store');
  headers.delete('content-length');
  const body = (await answer.json().catch(() => null)) as Record<string, unknown> | null;
  if (body === null || path.startsWith(`${AUTH_PATH}/device`)) return new Response(JSON.stringify(body), { status: answer.status, headers });
  const { token: _token, session, ...rest } = body;
  const { token: _sessionToken, ...publicSession } = (session ?? {}) as Record<string, unknown>;
  return new Response(JSON.stringify({ ...rest, ...(session ? { session: publicSession } : {}) }), { status: answer.status, headers });
}

/** Expired rows go in the background, now and then, while people come and go; an idle service has none to prune. */
function createPruning(db: Database, log: Log, clock: Clock): () => void {
  let next = 0;
  return () => {
    const now = clock();
    if (now.getTime() < next) return;
    next = now.getTime() + PRUNE_EVERY_MS;
    pruneIdentity(db, now).catch((error: unknown) => log.warn({ err: error }, 'could not prune identity'));
  };
}
