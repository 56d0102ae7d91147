// Credentials of this service are not for the integration provider, which shares the origin and receives whatever a
// browser or client sends there: our cookies, and our tokens in the headers that carry them. The provider's own
// cookies, keys and session tokens pass.
import { COOKIE_PREFIX } from '../identity/sessions/session-cookie.ts';

const OWN_COOKIE = new RegExp(`^(?:__(?:secure|host)-)?${COOKIE_PREFIX}\\.`, 'i');
/** A signed token, or a session token. The provider's are UUIDs, or begin with its name and an underscore. */
const OWN_TOKEN = /^(?:[\w-]+\.[\w-]+\.[\w-]+|[A-Za-z0-9]{16,})$/;

/** Names and values in turn, without our credentials. */
export function withoutOwnCredentials(headers: readonly string[]): string[] {
  const kept: string[] = [];
  for (let i = 0; i < headers.length; i += 2) {
    const [name = '', value = ''] = [headers[i], headers[i + 1]];
    const left = strip(name.toLowerCase(), value);
    if (left !== undefined) kept.push(name, left);
  }
  return kept;
}

/** Response headers that would set or clear a cookie of ours in the browser: an upstream that is not ours may not. */
export function changesOwnCookie(name: string, value: string): boolean {
  return (name === 'set-cookie' && OWN_COOKIE.test(value.trim())) || name === 'clear-site-data';
}

/** The rest of a header; undefined if nothing is left. */
function strip(name: string, value: string): string | undefined {
  switch (name) {
    case 'cookie': {
      const pairs = value.split(';').filter((pair) => !OWN_COOKIE.test(pair.trim()));
      return pairs.length > 0 ? pairs.join(';').trim() : undefined;
    }
    case 'authorization':
      // The user name and password of the provider's dashboard also look like one word of letters and digits.
      return !/^basic\s/i.test(value) && holdsToken(value) ? undefined : value;
    case 'x-api-key':
      return holdsToken(value) ? undefined : value;
    default:
      return value;
  }
}

function holdsToken(value: string): boolean {
  return value.split(/[\s,;="']+/).some((word) => OWN_TOKEN.test(word));
}
