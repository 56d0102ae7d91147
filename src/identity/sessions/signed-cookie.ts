// Short-lived cookies that carry a few facts from one step of a sign-in to the next. The browser can read them (scripts
// cannot), but not change them, use one as another, or use one after its time.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IdentitySettings } from '../identity-settings.ts';
import { COOKIE_PREFIX, findCookie, writeCookie } from './session-cookie.ts';

type Signing = Pick<IdentitySettings, 'authSecret' | 'publicUrl'>;

export interface SignedCookie {
  readonly name: string;
  readonly path: string;
  readonly lifeSeconds: number;
}

export function writeSignedCookie(cookie: SignedCookie, facts: object, now: Date, signing: Signing): string {
  const until = Math.floor(now.getTime() / 1000) + cookie.lifeSeconds;
  const text = Buffer.from(JSON.stringify([until, facts])).toString('base64url');
  return write(cookie, `${text}.${sign(cookie.name, text, signing)}`, cookie.lifeSeconds, signing);
}

export function clearSignedCookie(cookie: SignedCookie, signing: Signing): string {
  return write(cookie, '', 0, signing);
}

/** The facts as they were written. */
export function readSignedCookie<Facts extends object>(
  { name }: SignedCookie,
  header: string | null,
  now: Date,
  signing: Signing,
): Facts | undefined {
  const value = header === null ? undefined : findCookie(header, `${prefix(signing)}${name}`);
  const [text = '', signature = ''] = value?.split('.') ?? [];
  const [given, expected] = [Buffer.from(signature), Buffer.from(sign(name, text, signing))];
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const [until, facts] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as [number, Facts];
  return now.getTime() / 1000 < until ? facts : undefined;
}

function write({ name, path }: SignedCookie, value: string, lifeSeconds: number, signing: Signing): string {
  return writeCookie({ name: `${prefix(signing)}${name}`, value, path, lifeSeconds }, signing);
}

function prefix({ publicUrl }: Signing): string {
  return `${publicUrl.startsWith('https://') ? '__Secure-' : ''}${COOKIE_PREFIX}.`;
}

function sign(name: string, text: string, { authSecret }: Signing): string {
  return createHmac('sha256', authSecret).update(`signed-cookie/v1\0${name}\0${text}`).digest('base64url');
}
