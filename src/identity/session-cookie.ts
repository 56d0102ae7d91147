// The session cookie as the identity library writes it: `<token>.<base64 HMAC-SHA-256 of the token>`, URL-encoded.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IdentitySettings } from './identity-settings.ts';

export const COOKIE_PREFIX = 'service';

type Signing = Pick<IdentitySettings, 'authSecret' | 'publicUrl'>;

/** Browsers accept the `__Secure-` prefix only over https, which is when the library sets it. */
export function sessionCookieName({ publicUrl }: Pick<IdentitySettings, 'publicUrl'>): string {
  return `${publicUrl.startsWith('https://') ? '__Secure-' : ''}${COOKIE_PREFIX}.session_token`;
}

export function signSessionToken(token: string, authSecret: string): string {
  return `${token}.${createHmac('sha256', authSecret).update(token).digest('base64')}`;
}

/** The session token of a Cookie header, when its signature is ours. */
export function readSessionCookie(cookieHeader: string, signing: Signing): string | undefined {
  const value = findCookie(cookieHeader, sessionCookieName(signing));
  if (value === undefined) return undefined;
  const token = value.slice(0, Math.max(value.lastIndexOf('.'), 0));
  if (token === '') return undefined;
  const given = Buffer.from(value);
  const expected = Buffer.from(signSessionToken(token, signing.authSecret));
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : undefined;
}

function findCookie(header: string, name: string): string | undefined {
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals < 0 || pair.slice(0, equals).trim() !== name) continue;
    const raw = pair.slice(equals + 1).trim();
    try {
      return decodeURIComponent(raw.startsWith('"') ? raw.slice(1, -1) : raw);
    } catch {
      return undefined;
    }
  }
  return undefined;
}
