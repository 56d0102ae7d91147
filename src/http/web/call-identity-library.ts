// One call of the identity library: it gets only what it needs, and its response is converted to the service's shape.
import { ADDRESS_HEADER, AUTH_PATH, type Auth } from '../../identity/create-auth.ts';
import { readSessionToken, type Session } from '../../identity/sessions/find-session.ts';
import type { IdentitySettings } from '../../identity/identity-settings.ts';
import { replaceSessionCookie } from '../../identity/sessions/session-cookie.ts';
import { deviceRefusal, identityRefusal } from './identity-errors.ts';

/** A request to an identity route, with its checked parts. */
export interface AuthVisit {
  readonly request: Request;
  readonly url: URL;
  readonly body: unknown;
  readonly address: string;
  /** The key for rate limits. */
  readonly network: string;
  /** Present on routes for the signed-in person. */
  readonly session: Session | undefined;
}

export type CallLibrary = (visit: AuthVisit) => Promise<Response>;

/** Its refusals are thrown, except for those of the device flow, which have their own shape (RFC 8628). */
export function createLibraryCall(auth: Auth, settings: IdentitySettings): CallLibrary {
  return async (visit) => {
    const { pathname } = visit.url;
    const answer = await auth.handler(toLibrary(visit, settings));
    if (answer.ok) return withoutToken(answer, pathname);
    const refusal = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
    const ofDevice = pathname.startsWith(`${AUTH_PATH}/device`) ? deviceRefusal(answer.status, refusal) : undefined;
    if (ofDevice) return ofDevice;
    throw identityRefusal(answer.status, refusal);
  };
}

/** Only the validated fields, the session we verified, and the caller's address. */
function toLibrary({ request, url, body, address }: AuthVisit, settings: IdentitySettings): Request {
  const headers = new Headers({ [ADDRESS_HEADER]: address, 'user-agent': request.headers.get('user-agent') ?? '' });
  headers.set(
    'cookie',
    replaceSessionCookie(request.headers.get('cookie') ?? '', readSessionToken(request.headers, settings), settings),
  );
  if (request.method === 'GET') return new Request(url, { headers });
  headers.set('content-type', 'application/json');
  return new Request(url, { method: request.method, headers, body: JSON.stringify(body ?? {}) });
}

/** The session is in a cookie that scripts cannot read; a response that repeats its token would defeat that. */
async function withoutToken(answer: Response, path: string): Promise<Response> {
  const headers = new Headers(answer.headers);
  headers.set('cache-control', 'no-store');
  headers.delete('content-length');
  const body = (await answer.json().catch(() => null)) as Record<string, unknown> | null;
  if (body === null || path.startsWith(`${AUTH_PATH}/device`))
    return new Response(JSON.stringify(body), { status: answer.status, headers });
  const { token: _token, session, ...rest } = body;
  const { token: _sessionToken, ...publicSession } = (session ?? {}) as Record<string, unknown>;
  return new Response(JSON.stringify({ ...rest, ...(session ? { session: publicSession } : {}) }), {
    status: answer.status,
    headers,
  });
}
