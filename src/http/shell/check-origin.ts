// Refuses cookie-authenticated writes that another origin makes a browser send.
//
// Requests with a bearer token are exempt: a foreign page cannot add one without a preflight, and their cookie never
// counts (find-session.ts). So are requests without a cookie, which authenticate no one. Clients other than browsers
// send neither Origin nor Sec-Fetch-Site.
import { readAuthorization } from '../../net/authorization.ts';
import { AppError } from '../../base/errors.ts';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Throws `cross_origin`, or `unauthenticated` for an `Authorization` header without a bearer token. Call it before
 * anything that a cookie authorizes.
 */
export function checkOrigin(request: Request, publicUrl: string): void {
  const { headers } = request;
  if (READS.has(request.method)) return;
  const authorization = readAuthorization(headers);
  if (authorization.kind === 'malformed') throw new AppError('unauthenticated');
  if (headers.has('cookie') && authorization.kind === 'absent') refuseForeignOrigin(request, publicUrl);
}

/** The same check for every request: for routes that set a cookie, where a foreign page could sign someone in. */
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
  // Browsers set Origin and Host themselves; if they name the same host, the page comes from this server. That covers
  // 127.0.0.1 as well as localhost, and a web server that is reached without the gateway.
  const host = headers.get('x-forwarded-host') ?? headers.get('host') ?? new URL(url).host;
  return new URL(origin).host === host.toLowerCase();
}
