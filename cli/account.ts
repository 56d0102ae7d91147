// Which service a command talks to, and as whom. A flag wins over the environment, the environment over the last
// sign-in. A stored credential is only sent to the address it came from, and a token from the environment is never
// combined with a stored session.
import { configDirectory } from './config-directory.ts';
import { nameOf, readCredentials, type StoredAccount } from './credentials.ts';
import { EXIT } from './exit-codes.ts';
import { Failure, usage } from './failure.ts';
import type { Host } from './host.ts';

const DEFAULT_URL = 'http://localhost:4000';

export interface Account {
  readonly url: string;
  readonly source: 'environment' | 'login' | 'none';
  readonly token: string | undefined;
  readonly session: string | undefined;
  readonly stored: StoredAccount | undefined;
}

export interface AccountFlags {
  readonly url?: string | undefined;
  /** A sign-in: `acme@host`, or a part of it that only one has. */
  readonly as?: string | undefined;
}

export async function findAccount(host: Host, flags: AccountFlags): Promise<Account> {
  const { accounts } = await readCredentials(configDirectory(host));
  const named = flags.as === undefined ? undefined : chooseAccount(accounts, flags.as);
  const url = named?.url ?? chooseUrl(host, flags.url, accounts);
  if (named && flags.url !== undefined && normalizeUrl(flags.url, '--url') !== url)
    throw usage(`the sign-in ${nameOf(named)} is not for the address given with --url`);
  const given = named ? undefined : host.environment['SERVICE_TOKEN']?.trim();
  if (given)
    return {
      url,
      source: 'environment',
      token: checkTokenText(given, 'SERVICE_TOKEN'),
      session: undefined,
      stored: undefined,
    };
  const stored = named ?? accounts.find((one) => one.url === url);
  return { url, source: stored ? 'login' : 'none', token: stored?.token, session: stored?.session, stored };
}

/** The address of the flag, then of the environment, then of the last sign-in. */
export function chooseUrl(
  { environment }: Pick<Host, 'environment'>,
  flag: string | undefined,
  [last]: readonly StoredAccount[],
): string {
  return normalizeUrl(
    flag ?? environment['SERVICE_URL'] ?? last?.url ?? DEFAULT_URL,
    flag === undefined ? 'SERVICE_URL' : '--url',
  );
}

/** By its name, or by the organization, the host, the address or the email if only one sign-in has it. */
export function chooseAccount(accounts: readonly StoredAccount[], wanted: string): StoredAccount {
  const exact = accounts.filter((one) => nameOf(one) === wanted);
  const found =
    exact.length > 0
      ? exact
      : accounts.filter(({ url, email, organization }) =>
          [organization?.slug, organization?.id, email, url, new URL(url).host].includes(wanted),
        );
  const [one] = found;
  if (!one)
    throw usage(
      'there is no such sign-in on this machine',
      accounts.length === 0 ? 'Run: servicectl login' : `Choose one of: ${accounts.map(nameOf).join(', ')}`,
    );
  if (found.length > 1)
    throw usage(
      `${found.length} sign-ins match '${wanted}'`,
      `Choose one of: ${found.map((each) => (exact.length > 1 ? (each.email ?? nameOf(each)) : nameOf(each))).join(', ')}`,
    );
  return one;
}

function normalizeUrl(given: string, from: string): string {
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
