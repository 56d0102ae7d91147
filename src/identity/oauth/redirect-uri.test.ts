import { expect, it } from 'vitest';
import { matchesRedirect, redirectHost, redirectKind, withParameters } from './redirect-uri.ts';

it.each([
  ['https://app.example/callback', 'https'],
  ['http://localhost:3118/callback', 'loopback'],
  ['http://127.0.0.1/callback', 'loopback'],
  ['http://[::1]:9/x', 'loopback'],
  ['com.example.app:/callback', 'private-use'],
  ['cursor://anysphere.cursor-retrieval/oauth/callback', 'private-use'],
])('lets a client register %s', (uri, kind) => expect(redirectKind(uri)).toBe(kind));

it.each([
  'http://app.example/callback',
  'http://localhost.evil.example/callback',
  'https://app.example/callback#fragment',
  'https://user:secret@app.example/callback',
  'javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'https://app.example\\@evil.example/',
  '/callback',
  'not a url',
  `https://app.example/${'x'.repeat(2_000)}`,
])('refuses %s', (uri) => expect(redirectKind(uri)).toBeUndefined());

it('matches exactly, but takes any port on a loopback address', () => {
  expect(matchesRedirect(['https://app.example/cb'], 'https://app.example/cb')).toBe(true);
  expect(matchesRedirect(['https://app.example/cb'], 'https://app.example:444/cb')).toBe(false);
  expect(matchesRedirect(['https://app.example/cb'], 'https://app.example/cb/')).toBe(false);
  expect(matchesRedirect(['https://app.example/cb'], 'https://app.example/cb?x=1')).toBe(false);
  expect(matchesRedirect(['http://127.0.0.1/cb'], 'http://127.0.0.1:51004/cb')).toBe(true);
  expect(matchesRedirect(['http://127.0.0.1:1/cb'], 'http://127.0.0.1:2/cb')).toBe(true);
  expect(matchesRedirect(['http://127.0.0.1/cb'], 'http://localhost:51004/cb')).toBe(false);
  expect(matchesRedirect(['http://127.0.0.1/cb'], 'http://127.0.0.1:51004/other')).toBe(false);
});

it('never matches what could not be registered, even when it was', () => {
  expect(matchesRedirect(['javascript:alert(1)'], 'javascript:alert(1)')).toBe(false);
});

it('adds parameters to existing ones', () => {
  expect(withParameters('https://app.example/cb?keep=1', { code: 'a b', state: undefined })).toBe(
    'https://app.example/cb?keep=1&code=a+b',
  );
  expect(withParameters('com.example.app:/cb', { code: 'x' })).toBe('com.example.app:/cb?code=x');
});

it('shows a person the host or the scheme', () => {
  expect(redirectHost('http://localhost:3118/cb')).toBe('localhost:3118');
  expect(redirectHost('cursor://anysphere/cb')).toBe('cursor:');
});
