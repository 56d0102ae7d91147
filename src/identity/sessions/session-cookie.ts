// The session cookie as the identity library writes it: `<token>.<base64 HMAC-SHA-256 of the token>`, URL-encoded.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IdentitySettings } from '../identity-settings.ts';

export const COOKIE_PREFIX = 'service';

type Signing = Pick<IdentitySettings, 'authSecret' | 'publicUrl'>;

/** Browsers accept the `__Secure-` prefix only over https, which is when the library sets it. */
export function sessionCookieName({ publicUrl }: Pick<IdentitySettings, 'publicUrl'>): string {
  return `${publicUrl.startsWith('https://') ? '__Secure-' : ''}${COOKIE_PREFIX}.session_token`;
}

export function signSessionToken(token: string, authSecret: string): string {
  return `${token}.${createHmac('sha256', authSecret).update(token).digest('base64')}`;
}

/** 256 random bits, in the alphabet of session tokens. */
export function newSessionToken(): string {
  return randomBytes(32).toString('hex');
}

/**
 * A `Set-Cookie` with the library's attributes. Without a lifetime it is a session cookie; a lifetime of 0 deletes it.
 */
export function writeSessionCookie(token: string, lifeSeconds: number | undefined, signing: Signing): string {
  return writeCookie(
    { name: sessionCookieName(signing), value: signSessionToken(token, signing.authSecret), path: '/', lifeSeconds },
    signing,
  );
}

export function writeCookie(
  { name, value, path, lifeSeconds }: { name: string; value: string; path: string; lifeSeconds: number | undefined },
  { publicUrl }: Pick<IdentitySettings, 'publicUrl'>,
): string {
  return [
    `${name}=${encodeURIComponent(value)}`,
    ...(lifeSeconds === undefined ? [] : [`Max-Age=${lifeSeconds}`]),
    `Path=${path}`,
    'HttpOnly',
    ...(publicUrl.startsWith('https://') ? ['Secure'] : []),
    'SameSite=Lax',
  ].join('; ');
}

/** The header with the given session in place of any other. */
export function replaceSessionCookie(cookieHeader: string, token: string | undefined, signing: Signing): string {
  const name = sessionCookieName(signing);
  const others = cookieHeader.split(';').filter((pair) => pair.trim() !== '' && pair.split('=', 1)[0]?.trim() !== name);
  return [
    ...others,
    ...(token === undefined ? [] : [`${name}=${encodeURIComponent(signSessionToken(token, signing.authSecret))}`]),
  ].join(';');
}

const forgottenCookieName = (signing: Pick<IdentitySettings, 'publicUrl'>): string =>
  sessionCookieName(signing).replace(/session_token$/, 'dont_remember');

/** Set for a session that the browser should not remember. */
export function isForgotten(cookieHeader: string, signing: Pick<IdentitySettings, 'publicUrl'>): boolean {
  return findCookie(cookieHeader, forgottenCookieName(signing)) !== undefined;
}

/** A `Set-Cookie` that says so, or that it is remembered. */
export function writeForgotten(forgotten: boolean, signing: Signing): string {
  const value = forgotten ? signSessionToken('true', signing.authSecret) : '';
  const lifeSeconds = forgotten ? undefined : 0;
  return writeCookie({ name: forgottenCookieName(signing), value, path: '/', lifeSeconds }, signing);
}

/** The session token in a Cookie header, if its signature is ours. */
export function readSessionCookie(cookieHeader: string, signing: Signing): string | undefined {
  const value = findCookie(cookieHeader, sessionCookieName(signing));
  if (value === undefined) return undefined;
  const token = value.slice(0, Math.max(value.lastIndexOf('.'), 0));
  if (token === '') return undefined;
  const given = Buffer.from(value);
  const expected = Buffer.from(signSessionToken(token, signing.authSecret));
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : undefined;
}

export function findCookie(header: string, name: string): string | undefined {
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
