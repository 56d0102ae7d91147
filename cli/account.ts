// Which service a command talks to, and as whom. A flag wins over the environment, the environment over the last
// sign-in. A stored credential is only sent to the address it came from, and a token from the environment is never
// combined with a stored session.
import { configDirectory } from './config-directory.ts';
import { readCredentials, type StoredAccount } from './credentials.ts';
import { EXIT } from './exit-codes.ts';
import { Failure, usage } from './failure.ts';
import type { Host } from './host.ts';

export const DEFAULT_URL = 'http://localhost:4000';

export interface Account {
  readonly url: string;
  readonly source: 'environment' | 'login' | 'none';
  readonly token: string | undefined;
  readonly session: string | undefined;
  readonly stored: StoredAccount | undefined;
}

export async function findAccount(host: Host, flags: { readonly url?: string | undefined }): Promise<Account> {
  const credentials = await readCredentials(configDirectory(host));
  const url = normalizeUrl(
    flags.url ?? host.environment['SERVICE_URL'] ?? credentials.current ?? DEFAULT_URL,
    flags.url === undefined ? 'SERVICE_URL' : '--url',
  );
  const given = host.environment['SERVICE_TOKEN']?.trim();
  if (given)
    return {
      url,
      source: 'environment',
      token: checkTokenText(given, 'SERVICE_TOKEN'),
      session: undefined,
      stored: undefined,
    };
  const stored = credentials.accounts[url];
  return { url, source: stored ? 'login' : 'none', token: stored?.token, session: stored?.session, stored };
}

export function normalizeUrl(given: string, from: string): string {
  const text = given.trim() === '' ? DEFAULT_URL : given.trim();
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw usage(`${from} takes an http or https URL`, `For example: ${DEFAULT_URL}`);
  if (url.username !== '' || url.password !== '')
    throw usage(`${from} must not contain credentials`, 'Put the token in SERVICE_TOKEN instead.');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** Refuses a value that cannot be a header before it is sent: the error of the sender would repeat the secret. */
export function checkTokenText(token: string, from: string): string {
  if (/^[\x21-\x7E]+$/.test(token)) return token;
  throw usage(`${from} contains characters that no token has`, 'Copy the token again, without spaces or line breaks.');
}

export function requireToken({ token, url }: Account): string {
  if (token !== undefined) return token;
  throw new Failure(`not signed in to ${url}`, {
    exit: EXIT.signedOut,
    next: 'Run: servicectl login (or set SERVICE_TOKEN to a connect token)',
  });
}

export function requireSession({ session, source, url }: Account): string {
  if (session !== undefined) return session;
  throw new Failure(
    source === 'none' ? `not signed in to ${url}` : 'you have to be signed in for this; a connect token is not enough',
    {
      exit: EXIT.signedOut,
      next: source === 'environment' ? 'Unset SERVICE_TOKEN and run: servicectl login' : 'Run: servicectl login',
    },
  );
}
