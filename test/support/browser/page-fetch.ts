// A fetch as a browser does it for a page of another origin: it asks before it sends what is not simple, hands over
// nothing that was not allowed, and shows only the headers that were exposed.
const SIMPLE = new Set(['accept', 'accept-language', 'content-language', 'range']);
const SIMPLE_TYPES = /^(?:text\/plain|multipart\/form-data|application\/x-www-form-urlencoded)\b/i;
const SHOWN = [
  'cache-control',
  'content-language',
  'content-length',
  'content-type',
  'expires',
  'last-modified',
  'pragma',
];

export function pageFetch(origin: string): typeof fetch {
  return async (input, init = {}) => {
    const method = init.method ?? 'GET';
    const headers = new Headers(init.headers);
    const asked = [...headers]
      .filter(([name, value]) => !SIMPLE.has(name) && !(name === 'content-type' && SIMPLE_TYPES.test(value)))
      .map(([name]) => name);
    if (asked.length > 0) await preflight(input, origin, method, asked);
    headers.set('origin', origin);
    const response = await fetch(input, { ...init, headers });
    if (response.headers.get('access-control-allow-origin') !== origin)
      throw new TypeError('the answer is for another origin');
    const exposed = new Set([...SHOWN, ...list(response.headers.get('access-control-expose-headers'))]);
    return new Response(response.body, {
      status: response.status,
      headers: [...response.headers].filter(([name]) => exposed.has(name)),
    });
  };
}

async function preflight(
  input: Parameters<typeof fetch>[0],
  origin: string,
  method: string,
  asked: readonly string[],
): Promise<void> {
  const response = await fetch(input, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': asked.toSorted().join(','),
    },
  });
  if (!response.ok || response.headers.get('access-control-allow-origin') !== origin)
    throw new TypeError('the origin is not allowed');
  if (!list(response.headers.get('access-control-allow-methods')).includes(method.toLowerCase()))
    throw new TypeError(`${method} is not allowed`);
  const allowed = new Set(list(response.headers.get('access-control-allow-headers')));
  const refused = asked.find((name) => !allowed.has(name));
  if (refused !== undefined) throw new TypeError(`the header ${refused} is not allowed`);
}

function list(text: string | null): string[] {
  return (text ?? '').split(',').map((name) => name.trim().toLowerCase());
}
