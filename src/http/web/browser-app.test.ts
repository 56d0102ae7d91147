import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BrowserApp, loadBrowserApp } from './browser-app.ts';

/** Not what compressing the file here would give. */
const BUILT = brotliCompressSync('export {}; // by the build');

let root: string;
let app: BrowserApp;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'service-browser-app-'));
  await mkdir(join(root, 'public', 'assets'), { recursive: true });
  await writeFile(join(root, 'secret.txt'), 'secret');
  await writeFile(join(root, 'public', 'index.html'), '<!doctype html><title>page</title>');
  await writeFile(join(root, 'public', 'favicon.svg'), '<svg/>');
  await writeFile(join(root, 'public', 'assets', 'main-abc123.js'), 'export {};'.repeat(100));
  await writeFile(join(root, 'public', 'assets', 'page-abc123.js'), 'export {};');
  await writeFile(join(root, 'public', 'assets', 'page-abc123.js.br'), BUILT);
  app = await loadBrowserApp(join(root, 'public'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response | undefined> =>
  app.respond(new Request(`http://localhost${path}`, { method, headers }));

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

it('serves the page at every address of the app, and never from a cache', async () => {
  for (const path of [
    '/',
    '/index.html',
    '/chat',
    '/chat/thr_1',
    '/workspaces/a.b',
    '/receipts/connect%2Fws_1',
    '/organization/settings/members?org=acme',
  ]) {
    const response = await get(path);
    expect([response?.status, response?.headers.get('content-type'), response?.headers.get('cache-control')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(await response?.text()).toContain('<title>page</title>');
  }
});

it('shows the page at an unknown address only to a client that names HTML', async () => {
  for (const path of ['/nowhere', '/jobs-x?status=queued', '/runtime-extra/health', '/chat/a/b', '/workspaces/a/b']) {
    for (const accept of [undefined, '*/*', 'application/json', 'text/event-stream', 'text/html;q=0, */*'])
      expect(await get(path, accept === undefined ? {} : { accept }), `${path} ${accept}`).toBeUndefined();
    for (const accept of [BROWSER, 'Text/HTML', 'application/json, text/html;q=0.1'])
      expect((await get(path, { accept }))?.status, `${path} ${accept}`).toBe(200);
  }
});

it('shows a page of the app to nobody who accepts something else only', async () => {
  expect((await get('/chat', { accept: '*/*' }))?.status).toBe(200);
  expect((await get('/chat/', { accept: 'image/png, */*;q=0.1' }))?.status).toBe(200);
  for (const accept of ['application/json', '*/*;q=0', 'text/event-stream'])
    expect(await get('/chat', { accept })).toBeUndefined();
  expect((await get('/favicon.svg', { accept: 'application/json' }))?.status).toBe(200);
});

it('lets hashed files be cached forever, and others only with revalidation', async () => {
  const script = await get('/assets/main-abc123.js');
  expect([script?.headers.get('content-type'), script?.headers.get('cache-control')]).toEqual([
    'text/javascript; charset=utf-8',
    'public, max-age=31536000, immutable',
  ]);
  const icon = await get('/favicon.svg');
  expect([icon?.headers.get('content-type'), icon?.headers.get('cache-control')]).toEqual([
    'image/svg+xml',
    'no-cache',
  ]);
  expect((await get('/favicon.svg', { 'if-none-match': icon?.headers.get('etag') ?? '' }))?.status).toBe(304);
});

it('does not give the page for a file that is not there, nor for a write', async () => {
  for (const path of ['/assets/main-old.js', '/assets/x', '/missing.js', '/favicon.ico', '/robots.txt'])
    expect(await get(path)).toBeUndefined();
  expect(await get('/chat', {}, 'POST')).toBeUndefined();
});

it('reaches no file outside the build', async () => {
  for (const path of [
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/../../secret.txt',
    '/assets/%2e%2e%2f%2e%2e%2fsecret.txt',
    '//secret.txt',
    '/..\\secret.txt',
    '/secret.txt%00.html',
  ]) {
    expect((await (await get(path))?.text()) ?? '').not.toContain('secret');
  }
});

it('answers HEAD with the headers of GET and no body', async () => {
  const response = await get('/assets/main-abc123.js', {}, 'HEAD');
  expect([response?.status, response?.headers.get('content-length'), await response?.text()]).toEqual([
    200,
    '1000',
    '',
  ]);
});

it('compresses text for clients that accept it', async () => {
  const zipped = await get('/assets/main-abc123.js', { 'accept-encoding': 'gzip, br;q=0' });
  expect([zipped?.headers.get('content-encoding'), zipped?.headers.get('vary')]).toEqual(['gzip', 'accept-encoding']);
  expect(gunzipSync(Buffer.from((await zipped?.arrayBuffer()) ?? new ArrayBuffer(0))).length).toBe(1000);
  expect(
    (await get('/assets/main-abc123.js', { 'accept-encoding': 'gzip, deflate, br' }))?.headers.get('content-encoding'),
  ).toBe('br');
  expect(
    (await get('/assets/main-abc123.js', { 'accept-encoding': 'identity' }))?.headers.get('content-encoding'),
  ).toBeNull();
});

it('serves what the build has compressed, and only by the name of the file', async () => {
  const sent = await get('/assets/page-abc123.js', { 'accept-encoding': 'br' });
  expect(Buffer.from((await sent?.arrayBuffer()) ?? new ArrayBuffer(0)).equals(BUILT)).toBe(true);
  expect(sent?.headers.get('content-encoding')).toBe('br');
  expect(await (await get('/assets/page-abc123.js'))?.text()).toBe('export {};');
  expect(await get('/assets/page-abc123.js.br')).toBeUndefined();
});

it('returns nothing when there is no build', async () => {
  expect(await (await loadBrowserApp(join(root, 'absent'))).respond(new Request('http://localhost/'))).toBeUndefined();
});

it('reports a file that is gone since startup, and asks the client to reload the page', async () => {
  const gone: unknown[] = [];
  const other = await loadBrowserApp(join(root, 'public'), (error) => gone.push(error));
  await rename(join(root, 'public', 'assets', 'main-abc123.js'), join(root, 'moved.js'));
  const response = await other.respond(new Request('http://localhost/assets/main-abc123.js'));
  expect([response?.status, response?.headers.get('cache-control'), await response?.text()]).toEqual([
    503,
    'no-store',
    expect.stringContaining('Reload the page'),
  ]);
  expect(gone).toHaveLength(1);
  await rename(join(root, 'moved.js'), join(root, 'public', 'assets', 'main-abc123.js'));
});
