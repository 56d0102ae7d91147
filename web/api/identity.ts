// The identity routes, which are outside the typed contract: sign-up, sign-in, sign-out, device codes.
import { queryOptions } from '@tanstack/react-query';
import { SIGN_IN_OPTIONS_PATH, SIGN_UP_KINDS, type SignInOptions } from '../../src/contract/sign-in-options.ts';
import { LANGUAGE } from '../language/language.ts';
import { errorCode } from './fault.ts';
import { answerByPasskey } from './passkeys.ts';
import { ServerError } from './server-error.ts';

const TIMEOUT_MS = 30_000;

export interface Credentials {
  email: string;
  password: string;
}

export async function signUp(input: Credentials & { name: string; invitation?: string }): Promise<void> {
  await call('POST', '/api/auth/sign-up/email', input);
}

/** Who may create an account. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: async () => readOptions(await call('GET', SIGN_IN_OPTIONS_PATH)),
  staleTime: 60_000,
});

function readOptions(answer: unknown): SignInOptions {
  const { signUp: said, openid, mail = false } = (answer ?? {}) as Partial<SignInOptions>;
  const signUp = SIGN_UP_KINDS.find((kind) => kind === said);
  if (signUp === undefined) throw new TypeError('unknown sign-in options');
  return { signUp, mail, ...(openid === undefined ? {} : { openid }) };
}

/** What a password leads to: a session, or the question for a second factor. */
export type SignInStep = 'entered' | 'second-factor';

export async function signIn(input: Credentials): Promise<SignInStep> {
  const answer = (await call('POST', '/api/auth/sign-in/email', input)) as { secondFactor?: true };
  return answer.secondFactor === true ? 'second-factor' : 'entered';
}

/** A one-time code or a recovery code. */
export async function giveSecondFactor(code: string): Promise<void> {
  await call('POST', '/api/auth/second-factor', { code });
}

export async function signInByPasskey(): Promise<void> {
  const options = await call('POST', '/api/auth/passkey/options', {});
  await call('POST', '/api/auth/passkey', { passkey: await answerByPasskey(options) });
}

/** Every session of the person but this one. */
export async function endOtherSessions(input: { keepTokens: boolean }): Promise<void> {
  await call('POST', '/api/auth/revoke-other-sessions', input);
}

/** Returns whether the browser is still signed in at the OpenID provider. */
export async function signOut(): Promise<boolean> {
  const { provider } = ((await call('POST', '/api/auth/sign-out', {})) ?? {}) as { provider?: string };
  return provider !== undefined;
}

/** Where the browser goes to sign in through the OpenID provider, and after that. */
export function providerHref(next: string | undefined): string {
  return `/api/auth/openid/start${next === undefined ? '' : `?next=${encodeURIComponent(next)}`}`;
}

export const PROVIDER_SIGN_OUT = '/api/auth/openid/sign-out';

/** The account that this browser may connect with the OpenID provider. */
export interface AccountToConnect {
  readonly provider: string;
  readonly email: string;
  readonly signedInAs?: string;
}

export async function readAccountToConnect(): Promise<AccountToConnect> {
  return ((await call('GET', '/api/auth/openid/link')) as { link: AccountToConnect }).link;
}

/** Returns where to go on. */
export async function connectAccount(): Promise<string> {
  return ((await call('POST', '/api/auth/openid/link', {})) as { next: string }).next;
}

export async function changePassword(input: {
  currentPassword: string;
  newPassword: string;
  revokeOtherSessions: boolean;
  keepTokens: boolean;
}): Promise<void> {
  await call('POST', '/api/auth/change-password', input);
}

/** The answer is the same whether or not there is an account. */
export async function forgotPassword(input: { email: string }): Promise<void> {
  await call('POST', '/api/auth/forgot-password', input);
}

export async function resetPassword(input: { token: string; password: string; keepTokens: boolean }): Promise<void> {
  await call('POST', '/api/auth/reset-password', input);
}

/** Every session of the person, including this one. */
export async function endSessions(input: { keepTokens: boolean }): Promise<void> {
  await call('POST', '/api/auth/revoke-sessions', input);
}

export async function call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(path, {
    method,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      accept: 'application/json',
      'accept-language': LANGUAGE,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw new ServerError(errorCode(answer, response.status), response.status, answer);
  return answer;
}
