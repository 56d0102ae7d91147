import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkHeaders, isAllowedHeader } from './check-headers.ts';
import { REQUEST_HEADERS } from './provider-call.ts';

describe('headers of the call path', () => {
  it.each([
    'authorization',
    'Authorization',
    'COOKIE',
    'host',
    'Content-Length',
    'transfer-encoding',
    'proxy-authorization',
    'Proxy-X',
    'x-forwarded-for',
    'X-Forwarded-Host',
    'nango-proxy-authorization',
    'Nango-Is-Sync',
    'base-url-override',
    'connection-id',
    'Provider-Config-Key',
    'retries',
    'retry-on',
    'decompress',
    'forward-headers-on-redirect',
    '',
    'a b',
    'a:b',
    'a\r\nauthorization',
    'ünicode',
  ])('%j is refused by its name', (name) => {
    expect(() => checkHeaders({ [name]: 'x' })).toThrow(`header '${name}' is not allowed`);
  });

  it.each(['accept', 'Accept-Language', 'content-type', 'x-api-version', 'if-none-match', 'x-forwarded', 'proxyish'])(
    '%j is allowed',
    (name) => {
      expect(() => checkHeaders({ [name]: 'x' })).not.toThrow();
    },
  );

  it.each(['a\r\nauthorization: x', 'a\0', '日本'])('a value that breaks out of its line is refused: %j', (value) => {
    expect(() => checkHeaders({ accept: value })).toThrow("header 'accept' is not allowed");
  });

  it('that the service itself sends on pass', () => {
    for (const headers of Object.values(REQUEST_HEADERS)) expect(() => checkHeaders(headers)).not.toThrow();
  });

  it('refuses in every spelling, and lets through only names that HTTP has', () => {
    const mixed = (name: string) =>
      fc
        .array(fc.boolean(), { minLength: name.length, maxLength: name.length })
        .map((upper) => [...name].map((letter, at) => (upper[at] ? letter.toUpperCase() : letter)).join(''));
    fc.assert(
      fc.property(
        fc.constantFrom('authorization', 'cookie', 'host', 'content-length', 'transfer-encoding').chain(mixed),
        (name) => !isAllowedHeader(name),
      ),
    );
    fc.assert(
      fc.property(
        fc.constantFrom('proxy-', 'x-forwarded-', 'nango-').chain(mixed),
        fc.string(),
        (prefix, rest) => !isAllowedHeader(prefix + rest),
      ),
    );
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        (name) => !isAllowedHeader(name) || new Headers([[name, '1']]).get(name) === '1',
      ),
    );
  });
});
