// Refuses a cookie-authenticated write that another origin makes a browser send.
//
// A bearer token is exempt: a foreign page cannot add one without asking first, and who sends one is never let in by
// the cookie beside it (find-session.ts). So is a request without a cookie, which proves nothing about anybody. A client that is no browser sends neither Origin nor Sec-Fetch-Site.
import { readAuthorization } from '../../base/authorization.ts';
import { AppError } from '../../base/errors.ts';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Throws `cross_origin`, or `unauthenticated` for an `Authorization` that is no bearer's. Call it before anything that a cookie authorizes. */
export function checkOrigin(request: Request, publicUrl: string): void {
  const { headers } = request;
  if (READS.has(request.method)) return;
  const authorization = readAuthorization(headers);
  if (authorization.kind === 'malformed') throw new AppError('unauthenticated');
  if (headers.has('cookie') && authorization.kind === 'absent') refuseForeignOrigin(request, publicUrl);
}

/** The same test whatever the request carries: for routes that set a cookie, where a foreign page could sign somebody in. */
export function refuseForeignOrigin({ headers, url }: Request, publicUrl: string): void {
  const origin = headers.get('origin');
  const site = headers.get('sec-fetch-site');
  const own =
    origin === null
      ? site === null || site === 'same-origin' || site === 'none'
      : isOwnOrigin(origin, headers, url, publicUrl);
  if (!own) throw new AppError('cross_origin');
}

function isOwnOrigin(origin: string, headers: Headers, url: string, publicUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  if (origin === new URL(publicUrl).origin) return true;
  // A browser sets Origin and Host itself; where they name the same host, page and server are one. That covers
  // 127.0.0.1 beside localhost, and the web server reached without the gateway.
  const host = headers.get('x-forwarded-host') ?? headers.get('host') ?? new URL(url).host;
  return new URL(origin).host === host.toLowerCase();
}
