import { expect, it } from 'vitest';
import { answeredBy } from './answered-by.ts';

const HOME = 'https://app.example.test';
const ask = (path: string, mode: RequestMode = 'cors', method = 'GET') =>
  answeredBy({ url: new URL(path, HOME).href, mode, method }, HOME);

it('keeps files of the build, and has a page for when a page of the app cannot be loaded', () => {
  expect(ask('/assets/main-abc123.js')).toBe('cache');
  expect(ask('/chat/thr_1?org=acme', 'navigate')).toBe('offline-page');
  expect(ask('/', 'navigate')).toBe('offline-page');
  expect(ask('/before-paint.js', 'no-cors')).toBe('offline-script');
});

it.each([
  ['/api/threads', 'cors', 'GET'],
  ['/api/attachments/att_1', 'navigate', 'GET'],
  ['/api/changes?organization=org_1', 'cors', 'GET'],
  ['/runtime/jobs', 'cors', 'GET'],
  ['/v1/chat/completions', 'cors', 'POST'],
  ['/connect/github', 'navigate', 'GET'],
  ['/oauth2/authorize', 'navigate', 'GET'],
  ['/consent', 'navigate', 'POST'],
  ['/service-worker.js', 'same-origin', 'GET'],
  ['/manifest.webmanifest', 'cors', 'GET'],
  ['https://elsewhere.example.test/assets/a.js', 'no-cors', 'GET'],
] as const)('leaves %s (%s, %s) alone', (path, mode, method) => {
  expect(ask(path, mode, method)).toBeUndefined();
});
