// A sign-in at the provider that leads to an account which is not connected yet. It waits in a cookie of the browser until
// the person has proved that the account is theirs, by a session of it, and confirmed.
import type { Clock } from '../../base/clock.ts';
import type { IdentitySettings } from '../identity-settings.ts';
import {
  clearSignedCookie,
  readSignedCookie,
  type SignedCookie,
  writeSignedCookie,
} from '../sessions/signed-cookie.ts';

/** The sign-in route reads it too: with the provider as the only way in, proving an account still takes its password. */
const COOKIE: SignedCookie = { name: 'openid_link', path: '/api/auth', lifeSeconds: 15 * 60 };

export interface PendingLink {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  readonly next: string;
}

export interface LinkDeps {
  readonly clock: Clock;
  readonly settings: Pick<IdentitySettings, 'authSecret' | 'publicUrl'>;
}

export function keepLink({ clock, settings }: LinkDeps, link: PendingLink): string {
  return writeSignedCookie(COOKIE, link, clock(), settings);
}

export function findLink({ clock, settings }: LinkDeps, cookies: string | null): PendingLink | undefined {
  return readSignedCookie<PendingLink>(COOKIE, cookies, clock(), settings);
}

export function forgetLink({ settings }: LinkDeps): string {
  return clearSignedCookie(COOKIE, settings);
}
