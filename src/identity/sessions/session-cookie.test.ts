import { expect, it } from 'vitest';
import { readSessionCookie, sessionCookieName, signSessionToken } from './session-cookie.ts';

const plain = { publicUrl: 'http://localhost:4000', authSecret: 'secret' };
const signed = encodeURIComponent(signSessionToken('token', 'secret'));

it('is a secure cookie when the public address is https', () => {
  expect(sessionCookieName(plain)).toBe('service.session_token');
  expect(sessionCookieName({ publicUrl: 'https://service.example' })).toBe('__Secure-service.session_token');
});

it('is found among others, quoted or not', () => {
  expect(readSessionCookie(`a=1; service.session_token=${signed};b=2`, plain)).toBe('token');
  expect(readSessionCookie(`service.session_token="${signed}"`, plain)).toBe('token');
});

it.each([
  '',
  'service.session_token',
  'service.session_token=',
  'xservice.session_token=x',
  `service.session_token=${signed}x`,
  'service.session_token=token',
  'service.session_token=.',
  'service.session_token=%',
])('is not found in %j', (header) => expect(readSessionCookie(header, plain)).toBeUndefined());

it('is worthless under another secret', () => {
  expect(readSessionCookie(`service.session_token=${signed}`, { ...plain, authSecret: 'other' })).toBeUndefined();
});
