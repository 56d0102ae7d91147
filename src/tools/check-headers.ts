// Headers sent to an app. One that could override authentication, routing, framing or the integration provider's
// controls is refused rather than dropped, because dropping it would hide that it has no effect.
import { AppError } from '../base/errors.ts';

const REFUSED_NAMES: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'host',
  'content-length',
  'transfer-encoding',
  // Controls of the integration provider's proxy without its prefix.
  'connection-id',
  'provider-config-key',
  'base-url-override',
  'retries',
  'retry-on',
  'decompress',
  'forward-headers-on-redirect',
]);

const REFUSED_PREFIXES = ['proxy-', 'x-forwarded-', 'nango-'] as const;

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

export function isAllowedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return TOKEN.test(name) && !REFUSED_NAMES.has(lower) && !REFUSED_PREFIXES.some((prefix) => lower.startsWith(prefix));
}

/** Throws `header '<name>' is not allowed` for the first header that is not. */
export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!isAllowedHeader(name) || !VALUE.test(value)) throw new AppError('header_not_allowed', { header: name });
  }
}
