import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalPath } from './canonical-path.ts';

describe('canonicalPath', () => {
  it('leaves a plain path as it is', () => {
    for (const path of ['/', '/runtime/healthz', '/a.b/c..d/.well-known/...', '/a;b=c/~x/@y'])
      expect(canonicalPath(path)).toBe(path);
  });

  it('reads encoded characters, repeated slashes and encoded backslashes as what they may become', () => {
    expect(canonicalPath('/runtime/%6detrics')).toBe('/runtime/metrics');
    expect(canonicalPath('/runtime/%256detrics')).toBe('/runtime/metrics');
    expect(canonicalPath('//runtime///metrics')).toBe('/runtime/metrics');
    expect(canonicalPath('/runtime%2Fmetrics')).toBe('/runtime/metrics');
    expect(canonicalPath('/runtime%5cmetrics')).toBe('/runtime/metrics');
    expect(canonicalPath('/runtime/metrics%3Fa')).toBe('/runtime/metrics');
    expect(canonicalPath('/caf%C3%A9/100%')).toBe('/caf\u00c3\u00a9/100%');
  });

  it('refuses dot segments, control characters, raw backslashes, fragments and endless encoding', () => {
    const refused = [
      '',
      'a',
      '*',
      'http://evil/',
      '/..',
      '/.',
      '/a/../b',
      '/a/./b',
      '/a/%2e%2E/b',
      '/a/.%2e',
      '/a%2f..%2fb',
      '/a%5c..%5cb',
      '/%252e%252e/x',
      '/a\\b',
      '/a#b',
      '/a%00',
      '/a%0d%0ab',
      '/a\u007f',
    ];
    for (const path of refused) expect(canonicalPath(path), path).toBeUndefined();
    expect(canonicalPath(`/a%${'25'.repeat(40)}41`)).toBeUndefined();
  });

  it('gives a path that is its own canonical reading', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('/', '%', '2', '5', 'e', 'f', '.', '\\', 'c', 'a', '?', ' ') }),
        (text) => {
          const once = canonicalPath(`/${text}`);
          if (once !== undefined) expect(canonicalPath(once)).toBe(once);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
