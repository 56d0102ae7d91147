import { describe, expect, it } from 'vitest';
import { findRelocation, mayRelocate, plainRequest } from './relocate-dashboard.ts';

const service = { dashboardAt: '/integrations' };
const HTML = {
  'content-type': 'text/html; charset=UTF-8',
  'content-length': '7',
  etag: '"1"',
  'cache-control': 'no-cache, private',
  'content-security-policy': "script-src 'self' 'unsafe-inline'",
  'x-frame-options': 'SAMEORIGIN',
};
const SCRIPT = {
  'content-type': 'text/javascript; charset=UTF-8',
  'content-length': '7',
  'cache-control': 'public, max-age=31536000, immutable',
};

function rewrite(path: string, headers: Record<string, string>, text: string, size = text.length): string | undefined {
  const relocation = findRelocation({ service, method: 'GET', path }, 200, headers);
  if (!relocation) return undefined;
  const bytes = Buffer.from(text);
  const out: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) out.push(relocation.write(bytes.subarray(at, at + size)));
  return Buffer.concat([...out, relocation.end()]).toString();
}

const PAGE = `<!doctype html><html><head><link rel="icon" href="/favicon.ico" /><meta name="nango-api-origin" content="" />
<script type="module" crossorigin src="/assets/index-B1.js"></script><link href='/assets/i.css'><a href="https://elsewhere.test/">é</a><img src="//cdn.test/x"></head></html>`;

describe('the page of the dashboard', () => {
  it('names what it loads below the prefix, and runs our script first', () => {
    const html = rewrite('/prod/environment-settings', HTML, PAGE) ?? '';
    expect(html).toContain('href="/integrations/favicon.ico"');
    expect(html).toContain('src="/integrations/assets/index-B1.js"');
    expect(html).toContain("href='/integrations/assets/i.css'");
    expect(html).toContain('<meta name="nango-api-origin" content="/integrations" />');
    expect(html).toContain('<a href="https://elsewhere.test/">é</a><img src="//cdn.test/x">');
    expect(html).toMatch(/^<!doctype html><html><head><script>\(function relocate\(/);
  });

  it('keeps the rules that it came with, and none of what belonged to its bytes', () => {
    const headers = findRelocation({ service, method: 'GET', path: '/' }, 200, HTML)?.headers;
    expect(headers).toEqual({
      'content-type': HTML['content-type'],
      'cache-control': 'no-cache, private',
      'content-security-policy': HTML['content-security-policy'],
      'x-frame-options': 'SAMEORIGIN',
    });
  });

  it('another page goes as it is, however long', () => {
    for (const page of ['<head></head><a href="/x">', `<head>${'x'.repeat(100_000)}<a href="/x">`])
      expect(rewrite('/oauth/connect/github', HTML, page, 10_000)).toBe(page);
  });
});

describe('what the page loads', () => {
  const script =
    'a({basename:n.basename||"/"}),b(t.basename||`/`);if(window.location.pathname==="/x")window.location.pathname="/y";"mywindow.location.pathname";é';
  const moved =
    'a({basename:n.basename||"/integrations/"}),b(t.basename||"/integrations/");if((window.location.pathname.replace(/^\\/integrations(?=\\/|$)/,"")||"/")==="/x")window.location.pathname="/y";"mywindow.location.pathname";é';

  it('a script begins at the prefix, however its bytes are cut', () => {
    const padded = [`${'x;'.repeat(200)}${script}`, `${'x;'.repeat(200)}${moved}`] as const;
    for (const size of [1, 2, 3, 7, 64, 127, 128, 129, 100_000]) {
      expect(rewrite('/assets/main.js', SCRIPT, script, size)).toBe(moved);
      expect(rewrite('/assets/main.js', SCRIPT, padded[0], size)).toBe(padded[1]);
    }
  });

  it('a style names its files below the prefix', () => {
    const css = { ...SCRIPT, 'content-type': 'text/css' };
    for (const size of [1, 5, 1_000])
      expect(
        rewrite(
          '/assets/i.css',
          css,
          '@font-face{src:url(/assets/a.woff2),url("/b.woff"),url(//cdn.test/c),url(data:x)}',
          size,
        ),
      ).toBe(
        '@font-face{src:url(/integrations/assets/a.woff2),url("/integrations/b.woff"),url(//cdn.test/c),url(data:x)}',
      );
  });

  it('is not kept for a year, because another version of this may rewrite it otherwise', () => {
    expect(findRelocation({ service, method: 'GET', path: '/assets/main.js' }, 200, SCRIPT)?.headers).toEqual({
      'content-type': SCRIPT['content-type'],
      'cache-control': 'private, max-age=3600',
    });
  });
});

it('a redirect to a place of its own stays below the prefix', () => {
  const to = (location: string) =>
    findRelocation({ service, method: 'GET', path: '/assets' }, 301, { location })?.headers['location'];
  expect([to('/assets/'), to('https://app.test/x'), to('//elsewhere.test')]).toEqual([
    '/integrations/assets/',
    undefined,
    undefined,
  ]);
});

it('nothing else of the provider is touched: its API, its proxy, what is compressed, what failed, another service', () => {
  for (const path of ['/proxy/page', '/api/v1/meta', '/proxy/assets/a.js'])
    expect([mayRelocate({ service, method: 'GET', path }), rewrite(path, HTML, PAGE)]).toEqual([false, undefined]);
  expect(rewrite('/connect/x.js', SCRIPT, 'a.basename||"/"')).toBeUndefined();
  expect(rewrite('/assets/logo.svg', { 'content-type': 'image/svg+xml' }, '<svg/>')).toBeUndefined();
  expect(rewrite('/assets/a.js', { ...SCRIPT, 'content-encoding': 'gzip' }, 'x')).toBeUndefined();
  expect(findRelocation({ service, method: 'POST', path: '/' }, 200, HTML)).toBeUndefined();
  expect(findRelocation({ service, method: 'GET', path: '/' }, 404, HTML)).toBeUndefined();
  expect(findRelocation({ service: {}, method: 'GET', path: '/' }, 200, HTML)).toBeUndefined();
});

it('what may be rewritten is asked for whole and plain', () => {
  expect(
    plainRequest(['Accept-Encoding', 'gzip', 'Accept', 'text/html', 'If-None-Match', '"1"', 'Range', 'bytes=0-1']),
  ).toEqual(['Accept', 'text/html']);
});
