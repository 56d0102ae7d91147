// Where an authorization response may be sent (OAuth 2.1, RFC 8252): https, http to the local machine, or the client's
// own scheme. Schemes that a browser handles itself never count as a client's own.

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);
const BROWSER_SCHEMES = new Set([
  'about:',
  'blob:',
  'chrome:',
  'data:',
  'file:',
  'filesystem:',
  'ftp:',
  'http:',
  'https:',
  'javascript:',
  'mailto:',
  'tel:',
  'vbscript:',
  'view-source:',
  'ws:',
  'wss:',
]);
const LENGTH_MAX = 2_000;

export type RedirectKind = 'https' | 'loopback' | 'private-use';

/** Undefined if no client may register it. */
export function redirectKind(uri: string): RedirectKind | undefined {
  // URL parsers drop whitespace and control characters, so two parsers could see different addresses.
  if (uri.length > LENGTH_MAX || /[\s\p{Cc}\\]/u.test(uri) || uri.includes('#') || !URL.canParse(uri)) return undefined;
  const url = new URL(uri);
  if (url.username !== '' || url.password !== '') return undefined;
  if (url.protocol === 'https:') return 'https';
  if (url.protocol === 'http:') return LOOPBACK_HOSTS.has(url.hostname) ? 'loopback' : undefined;
  return BROWSER_SCHEMES.has(url.protocol) ? undefined : 'private-use';
}

/** Exact match, except that a loopback address may use any port (RFC 8252, 7.3). */
export function matchesRedirect(registered: readonly string[], given: string): boolean {
  if (registered.includes(given)) return redirectKind(given) !== undefined;
  if (redirectKind(given) !== 'loopback') return false;
  return registered.some((uri) => redirectKind(uri) === 'loopback' && withoutPort(uri) === withoutPort(given));
}

function withoutPort(uri: string): string {
  const url = new URL(uri);
  url.port = '';
  return url.href;
}

/** What people are shown: the host, or the client's own scheme. */
export function redirectHost(uri: string): string {
  const url = new URL(uri);
  return redirectKind(uri) === 'private-use' ? url.protocol : url.host;
}

export function withParameters(uri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(uri);
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}
