// The ID token of a session, with which the provider recognizes whom to sign out. It is of no use to us, so only the browser
// keeps it, encrypted.
import { createHash } from 'node:crypto';
import { seal, unseal } from '../../base/seal.ts';
import type { IdentitySettings } from '../identity-settings.ts';
import { COOKIE_PREFIX, findCookie, writeCookie } from '../sessions/session-cookie.ts';
import { SESSION_DAYS } from '../sessions/begin-session.ts';

type Signing = Pick<IdentitySettings, 'authSecret' | 'publicUrl'>;

/** Browsers keep no larger cookies: a session with a larger token is signed out without a hint. */
const MOST_BYTES = 3_600;
const CONTEXT = ['openid-sign-out-hint'];
const NONE = 'none';

export function keepHint(idToken: string, signing: Signing): string {
  const { ciphertext, iv, authTag } = seal(keyOf(signing), idToken, CONTEXT);
  const value = [iv, authTag, ciphertext].map((part) => part.toString('base64url')).join('.');
  return write(value.length > MOST_BYTES ? NONE : value, SESSION_DAYS * 86_400, signing);
}

export function forgetHint(signing: Signing): string {
  return write('', 0, signing);
}

/** Undefined if this browser has no session of the provider; without a token if it was too large to keep. */
export function findHint(
  cookies: string | null,
  signing: Signing,
): { readonly idToken: string | undefined } | undefined {
  const value = cookies === null ? undefined : findCookie(cookies, nameOf(signing));
  if (value === undefined || value === '') return undefined;
  const [iv, authTag, ciphertext] = value.split('.').map((part) => Buffer.from(part, 'base64url'));
  if (!iv || !authTag || !ciphertext) return { idToken: undefined };
  return { idToken: unseal(keyOf(signing), { iv, authTag, ciphertext }, CONTEXT) };
}

function write(value: string, lifeSeconds: number, signing: Signing): string {
  return writeCookie({ name: nameOf(signing), value, path: '/api/auth', lifeSeconds }, signing);
}

function nameOf({ publicUrl }: Signing): string {
  return `${publicUrl.startsWith('https://') ? '__Secure-' : ''}${COOKIE_PREFIX}.openid_session`;
}

function keyOf({ authSecret }: Signing): Buffer {
  return createHash('sha256').update(`openid-sign-out-hint/v1\0${authSecret}`).digest();
}
