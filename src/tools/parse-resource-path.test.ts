import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseResourcePath } from './parse-resource-path.ts';
import { encodeQuery } from './provider-call.ts';

const ACCEPTED = [
  '/',
  '/a',
  '/a/',
  '/a..b',
  '/...',
  '/.well-known/x',
  '/%20',
  '/100%25',
  '/100%2525',
  '/documents:batchGet',
  '/v1/a;b=c',
  '/a//b',
  '/ü/日本',
  '/a b',
  '/~me',
  '/a@b',
  '/%23general',
  '/a%3Fb',
  '/repos/o/r/compare/v1...v2',
  '/x?range=1..2',
  '/x?path=%2e%2e%2fx',
  "/odata/Items('1')",
  '/%F0%9F%98%80',
  '/．．/a',
  '/a／b',
  '/‥/x',
  '/a%EF%BC%8Fb',
  '/%E2%80%A5/x',
  '/／／evil',
  '/ｈttps：x',
  '/＼a',
  '/a＃b',
  '/℀',
];

const REFUSED = [
  '',
  'a',
  'https://evil.test/',
  '//evil.test',
  '//',
  '/\\evil',
  '/a\\b',
  '/a#b',
  '/.',
  '/..',
  '/a/..',
  '/a/../b',
  '/a/./b',
  '/../a',
  '/a/.',
  '/%2e',
  '/%2e%2e',
  '/a/%2E%2e/b',
  '/.%2e',
  '/%252e%252e/x',
  '/%25252525252e%2525252525252e',
  '/a%2fb',
  '/a%2Fb',
  '/a%5cb',
  '/a%5Cb',
  '/a%252fb',
  '/a%25252Fb',
  '/a%255cb',
  '/https:',
  '/https:/evil.test',
  '/https://evil.test',
  '/HTTP:evil.test',
  '/%68ttps:/evil',
  '/https%3A/evil',
  '/https%253a/x',
  '/a/https://evil.test',
  '/ftp:x',
  '/file:',
  '/javascript:x',
  '/x://y',
  '/\t../a',
  '/a/\t..',
  '/a/.\t./b',
  '/a\r\nb',
  '/a\nb',
  '/a%0ab',
  '/a%0d%0ab',
  '/a%00b',
  '/a%09/..',
  '/a/.. /b',
  '/a/..%20/b',
  '/a/..%c2%a0/b',
  '/a/..;/b',
  '/a/..;x=y/b',
  '/a/.;/b',
  '/a/%2e%2e;/b',
  '/a/..%3b/b',
  '/%',
  '/%2',
  '/%zz',
  '/a%',
  '/%ff',
  '/%c0%ae%c0%ae/x',
  '/%e0%80%ae',
  '/%25ff',
  '/${a}',
  '/a${connectionConfig.x}',
  '/%24%7Ba}',
  '/%2524{a}',
  '/a||b',
  '/%7C%7C',
  '/a|%7cb',
  '/x?a=${b}',
  '/x?a=%24%7Bb',
  '/x?a||b',
  '/x?a=%7c%7c',
  '/x?a=\u0000',
  '/x?a=%0a',
  '/\ud800',
  '/a\u2028b',
  `/${'a'.repeat(4096)}`,
  `/${encodeTimes('..', 11)}`,
  `/${encodeTimes('ü', 12)}`,
];

describe('a path', () => {
  it.each(ACCEPTED)('%j is accepted', (path) => expect(parseResourcePath(path)).toMatchObject({ ok: true }));
  it.each(REFUSED)('%j is refused with a reason', (path) =>
    expect(parseResourcePath(path)).toEqual({ ok: false, fault: expect.any(String) }),
  );

  it('keeps what a URL can hold as it was and encodes the rest', () => {
    expect(parseResourcePath('/a%20b/ü x/:c@d+e/100%25?q=1&q=a+b')).toEqual({
      ok: true,
      value: {
        path: '/a%20b/%C3%BC%20x/:c@d+e/100%25',
        query: [
          ['q', '1'],
          ['q', 'a b'],
        ],
        segments: ['a b', 'ü x', ':c@d+e', '100%'],
      },
    });
  });

  it('sends what only looks like a slash or dots encoded, as one segment', () => {
    expect(parseResourcePath('/files/a／b/‥/．')).toEqual({
      ok: true,
      value: { path: '/files/a%EF%BC%8Fb/%E2%80%A5/%EF%BC%8E', query: [], segments: ['files', 'a／b', '‥', '．'] },
    });
  });

  it('is at most 4096 characters', () => {
    expect(parseResourcePath(`/${'a'.repeat(4095)}`)).toMatchObject({ ok: true });
  });
});

/** Combinations of pieces that have broken path checks before. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '/',
        '//',
        '.',
        '..',
        '...',
        '%2e',
        '%2E',
        '%252e',
        '%2f',
        '%5c',
        '\\',
        ';',
        ' ',
        '%20',
        '%09',
        '\t',
        '\r',
        '\n',
        '%00',
        '#',
        '?',
        '&',
        '=',
        ':',
        '@',
        'https:',
        '//evil.test',
        '%',
        '%zz',
        '%ff',
        '%c0%ae',
        '${',
        '||',
        '%7c',
        'a',
        'b',
        '．',
        '／',
        '\u00a0',
      ),
      fc.string({ maxLength: 4, unit: 'grapheme' }),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => `/${pieces.join('')}`);

const BASES = ['https://api.provider.test/base', 'https://api.atlassian.test/ex/jira/site'];

/** How software between us and the app may interpret a URL; each gives origin and path. */
const READERS: Record<string, (url: string) => { origin: string; path: string }> = {
  whatwg: (url) => ({ origin: new URL(url).origin, path: new URL(url).pathname }),
  'whatwg, relative to the base': (url) => {
    const { origin, pathname } = new URL(url.slice(url.indexOf('/', 8)), 'https://' + new URL(url).host);
    return { origin, path: pathname };
  },
  'RFC 3986': (url) => {
    const [, scheme = '', authority = '', path = ''] = /^([^:/?#]+):\/\/([^/?#]*)([^?#]*)/.exec(url) ?? [];
    return { origin: `${scheme}://${authority}`, path: removeDotSegments(path) };
  },
  'decodes, then normalises': (url) => {
    const { origin, pathname } = new URL(url);
    return {
      origin,
      path: new URL(`https://x.test${decodeFully(pathname).replaceAll('?', '%3F').replaceAll('#', '%23')}`).pathname,
    };
  },
  'takes backslashes for slashes and strips parameters': (url) => {
    const { origin, pathname } = new URL(url);
    const plain = decodeFully(pathname)
      .replaceAll('\\', '/')
      .replaceAll(/;[^/]*/g, '')
      .split('/')
      .map((segment) => segment.trim())
      .join('/');
    return { origin, path: new URL(`https://x.test${plain.replaceAll('?', '%3F').replaceAll('#', '%23')}`).pathname };
  },
};

describe('no accepted path', () => {
  it.each(Object.keys(READERS))('leaves its origin or its base, read the way that %s', (name) => {
    const read = READERS[name];
    let accepted = 0;
    fc.assert(
      fc.property(hostile, fc.constantFrom(...BASES), (text, base) => {
        const parsed = parseResourcePath(text);
        if (!parsed.ok) return;
        accepted++;
        const { path, query } = parsed.value;
        const url = base + path + encodeQuery(query);
        const got = read?.(url);
        expect(got?.origin).toBe(new URL(base).origin);
        expect(`${got?.path}/`.startsWith(`${new URL(base).pathname}/`)).toBe(true);
        expect(url).not.toMatch(/\$\{|\|\||[\s\\#]/);
      }),
      { numRuns: 3_000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });
});

/** RFC 3986, 5.2.4. */
function removeDotSegments(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop();
    else if (segment !== '.') kept.push(segment);
  }
  return kept.join('/');
}

function decodeFully(text: string): string {
  let form = text;
  for (let round = 0; round < 20; round++) {
    const next = form.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => {
      try {
        return decodeURIComponent(run);
      } catch {
        return run;
      }
    });
    if (next === form) break;
    form = next;
  }
  return form;
}

function encodeTimes(text: string, times: number): string {
  let form = [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  for (let round = 1; round < times; round++) form = form.replaceAll('%', '%25');
  return form;
}
