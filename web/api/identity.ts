// The identity routes, which are outside the typed contract: sign-up, sign-in, sign-out, device codes.
import { queryOptions } from '@tanstack/react-query';
import { SIGN_IN_OPTIONS_PATH, SIGN_UP_KINDS, type SignInOptions } from '../../src/contract/sign-in-options.ts';
import { errorCode } from './fault.ts';
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
  const said = (answer as Partial<SignInOptions> | undefined)?.signUp;
  const signUp = SIGN_UP_KINDS.find((kind) => kind === said);
  if (signUp === undefined) throw new TypeError('unknown sign-in options');
  return { signUp };
}

export async function signIn(input: Credentials): Promise<void> {
  await call('POST', '/api/auth/sign-in/email', input);
}

export async function signOut(): Promise<void> {
  await call('POST', '/api/auth/sign-out', {});
}

export async function changePassword(input: {
  currentPassword: string;
  newPassword: string;
  revokeOtherSessions: boolean;
  keepTokens: boolean;
}): Promise<void> {
  await call('POST', '/api/auth/change-password', input);
}

/** Every session of the person, including this one. */
export async function endSessions(input: { keepTokens: boolean }): Promise<void> {
  await call('POST', '/api/auth/revoke-sessions', input);
}

export async function call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(path, {
    method,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw new ServerError(errorCode(answer, response.status), response.status, answer);
  return answer;
}
