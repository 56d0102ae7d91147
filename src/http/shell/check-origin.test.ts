import { expect, it } from 'vitest';
import { checkOrigin } from './check-origin.ts';

const PUBLIC = 'https://service.example';

function write(headers: Record<string, string>, method = 'POST'): () => void {
  return () =>
    checkOrigin(
      new Request('http://127.0.0.1:4001/api/organizations', {
        method,
        headers: { host: 'service.example', ...headers },
      }),
      PUBLIC,
    );
}

const cookie = 'service.session_token=x';

it.each<[string, Record<string, string>]>([
  ['from the app itself', { cookie, origin: PUBLIC }],
  ['from the host it was sent to', { cookie, origin: 'http://localhost:4000', 'x-forwarded-host': 'localhost:4000' }],
  ['of a browser that says it is the same origin', { cookie, 'sec-fetch-site': 'same-origin' }],
  ['typed by the person', { cookie, 'sec-fetch-site': 'none' }],
  ['of a client that is no browser', { cookie }],
  [
    'with a bearer token, which decides alone',
    { cookie, origin: 'https://evil.example', authorization: 'Bearer token' },
  ],
  [
    'with a bearer token that cannot be one, as the cookie does not count either',
    { cookie, origin: 'https://evil.example', authorization: 'Bearer a b' },
  ],
  ['without a cookie', { origin: 'https://evil.example' }],
])('lets a write pass %s', (_which, headers) => expect(write(headers)).not.toThrow());

it.each<[string, Record<string, string>]>([
  ['from another origin', { cookie, origin: 'https://evil.example' }],
  ['from another port of the same host', { cookie, origin: 'https://service.example:8443' }],
  ['from a name that begins alike', { cookie, origin: 'https://service.example.evil.example' }],
  ['from a sandboxed page', { cookie, origin: 'null' }],
  ['of another site without an origin', { cookie, 'sec-fetch-site': 'cross-site' }],
  ['of a sibling site without an origin', { cookie, 'sec-fetch-site': 'same-site' }],
])('refuses a write %s', (_which, headers) =>
  expect(write(headers)).toThrow(expect.objectContaining({ code: 'cross_origin' })),
);

it.each(['Basic eDp5', 'Bearer', 'token', ''])(
  'refuses requests that send %j together with a cookie',
  (authorization) => {
    expect(write({ cookie, origin: PUBLIC, authorization })).toThrow(
      expect.objectContaining({ code: 'unauthenticated' }),
    );
  },
);

it('lets reads pass from anywhere', () => {
  expect(write({ cookie, origin: 'https://evil.example' }, 'GET')).not.toThrow();
});
