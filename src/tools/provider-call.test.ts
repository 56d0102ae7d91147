import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readResponse, toTarget } from './provider-call.ts';

const answer = (status: number, body: string | Buffer, headers: Record<string, string> = {}) =>
  readResponse({ status, headers: { 'content-type': 'application/json', ...headers }, body: Buffer.from(body) });

describe("a provider's answer", () => {
  it('echoes only the allowed headers', () => {
    const headers = Object.fromEntries(
      [
        'content-language',
        'etag',
        'last-modified',
        'link',
        'retry-after',
        'x-ratelimit-limit',
        'x-ratelimit-remaining',
        'x-ratelimit-reset',
      ].map((name) => [name, 'v']),
    );
    expect(answer(200, '{}', { ...headers, 'set-cookie': 'a=b', 'x-request-id': '1', server: 'x' }).headers).toEqual({
      'content-type': 'application/json',
      ...headers,
    });
  });

  it.each([301, 302, 303, 307, 308, 300])('%i is refused', (status) =>
    expect(() => answer(status, '')).toThrow('provider_redirect_refused'),
  );

  it('that nests deeply is returned as text', () => {
    const bomb = '['.repeat(4 * 1024 * 1024);
    expect(JSON.parse(answer(200, bomb).data)).toBe(bomb);
  });

  it('is always JSON in the end, and the same JSON where it was some', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string({ unit: 'binary' })), (text) => {
        const read: unknown = JSON.parse(answer(200, text).data);
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          return;
        }
        expect(read).toEqual(expected);
      }),
    );
  });
});

it('connectionConfig reaches the app, and the proxy does not substitute it', () => {
  const target = toTarget('/a/connectionConfig', [['connectionConfig', 'connectionConfig.x']]);
  expect(target).not.toContain('connectionConfig');
  const { pathname, searchParams } = new URL(target, 'http://app.test');
  expect([decodeURIComponent(pathname), [...searchParams]]).toEqual([
    '/a/connectionConfig',
    [['connectionConfig', 'connectionConfig.x']],
  ]);
});
