import { describe, expect, it } from 'vitest';
import { safeNext } from './safe-next.ts';

const ORIGIN = 'https://app.example.org';

describe('the page to return to after signing in', () => {
  it.each(['/workspaces', '/invitations/abc?org=acme#top', '/api/auth/oauth2/authorize?client_id=x'])(
    'keeps the relative path %s',
    (path) => {
      expect(safeNext(path, ORIGIN)).toBe(path);
    },
  );

  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/..//evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
    'workspaces',
    '',
    undefined,
    7,
  ])('refuses %j', (next) => {
    expect(safeNext(next, ORIGIN)).toBe('/');
  });
});
