// What a sign-in at the provider was started with, in a cookie of the browser that started it: an answer of the provider
// counts only in that browser, for a few minutes and once. Nonce and PKCE verifier are derived from the state with our
// secret, so the browser never has them.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Queryable } from '../../store/database.ts';
import type { IdentitySettings } from '../identity-settings.ts';
import {
  clearSignedCookie,
  readSignedCookie,
  type SignedCookie,
  writeSignedCookie,
} from '../sessions/signed-cookie.ts';
import { useOnce } from './use-once.ts';

const COOKIE: SignedCookie = { name: 'openid_state', path: '/api/auth/openid', lifeSeconds: 10 * 60 };
const NEXT_MAX = 1_000;

export interface SignInStart {
  /** A path of the app. */
  readonly next: string;
  /** The session that a fresh proof is for; absent for a sign-in. */
  readonly proves?: string;
}

export interface SignInState extends SignInStart {
  readonly state: string;
  readonly startedAtMs: number;
}

export interface StateDeps {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly settings: Pick<IdentitySettings, 'authSecret' | 'publicUrl'>;
}

export function startState(
  deps: StateDeps,
  start: SignInStart,
): { readonly state: SignInState; readonly cookie: string } {
  const now = deps.clock();
  const next = start.next.length > NEXT_MAX ? '/' : start.next;
  const state = { ...start, next, state: randomBytes(32).toString('base64url'), startedAtMs: now.getTime() };
  return { state, cookie: writeSignedCookie(COOKIE, state, now, deps.settings) };
}

/** Undefined if this browser started none, or it took too long. Does not use it up. */
export function readState({ clock, settings }: StateDeps, cookies: string | null): SignInState | undefined {
  return readSignedCookie<SignInState>(COOKIE, cookies, clock(), settings);
}

/** Throws `openid_state_invalid` unless the provider's answer is for this sign-in, for the first time. */
export async function useState(
  deps: StateDeps,
  started: SignInState | undefined,
  given: string | null,
): Promise<SignInState> {
  if (!started || !isSame(started.state, given ?? '')) throw new AppError('openid_state_invalid');
  const until = new Date(started.startedAtMs + COOKIE.lifeSeconds * 1000);
  if (!(await useOnce(deps.db, 'state', { id: started.state, until }))) throw new AppError('openid_state_invalid');
  return started;
}

export function forgetState({ settings }: StateDeps): string {
  return clearSignedCookie(COOKIE, settings);
}

export function secretsOf(
  { state }: SignInState,
  { authSecret }: Pick<IdentitySettings, 'authSecret'>,
): { readonly nonce: string; readonly verifier: string } {
  const derive = (what: string): string =>
    createHmac('sha256', authSecret).update(`openid/v1\0${what}\0${state}`).digest('base64url');
  return { nonce: derive('nonce'), verifier: derive('verifier') };
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
