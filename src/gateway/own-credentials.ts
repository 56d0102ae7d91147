// What proves a person to this service is not for the integration provider, which sits on the same origin and is sent
// whatever a browser or a client sends there: our cookies, and our tokens in the headers that we take them from. Its own
// cookies, its keys and its session tokens pass.
import { COOKIE_PREFIX } from '../identity/session-cookie.ts';

const OWN_COOKIE = new RegExp(`^(?:__(?:secure|host)-)?${COOKIE_PREFIX}\\.`, 'i');
/** A signed token, or the token of a session. The provider's are UUIDs, or begin with its name and an underscore. */
const OWN_TOKEN = /^(?:[\w-]+\.[\w-]+\.[\w-]+|[A-Za-z0-9]{16,})$/;

/** Names and values in turn, without those of ours. */
export function withoutOwnCredentials(headers: readonly string[]): string[] {
  const kept: string[] = [];
  for (let i = 0; i < headers.length; i += 2) {
    const [name = '', value = ''] = [headers[i], headers[i + 1]];
    const left = strip(name.toLowerCase(), value);
    if (left !== undefined) kept.push(name, left);
  }
  return kept;
}

/** Headers of an answer that would put a cookie of ours into the browser, or take ours out of it: an upstream that is not ours may not. */
export function meddles(name: string, value: string): boolean {
  return (name === 'set-cookie' && OWN_COOKIE.test(value.trim())) || name === 'clear-site-data';
}

/** What is left of a header; undefined when nothing is. */
function strip(name: string, value: string): string | undefined {
  switch (name) {
    case 'cookie': {
      const pairs = value.split(';').filter((pair) => !OWN_COOKIE.test(pair.trim()));
      return pairs.length > 0 ? pairs.join(';').trim() : undefined;
    }
    case 'authorization':
      // A name and password of the provider's dashboard are one word of letters and digits too.
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
