// The stored sign-ins: any number of addresses, organizations and people, the one used last first. The file is readable
// only by its owner and is always replaced as a whole.
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeToken } from './describe-token.ts';
import { Failure } from './failure.ts';

interface Named {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
}

export interface StoredAccount {
  /** The address that issued the credentials, and the only one that they are sent to. */
  readonly url: string;
  /** For the web server's API; absent after `login --token`. */
  readonly session?: string;
  /** The connect token. */
  readonly token: string;
  readonly tokenId?: string;
  readonly expiresAt?: string;
  readonly email?: string;
  /** The default of commands that take --workspace. */
  readonly workspace?: Named;
  readonly organization?: Named;
}

export interface Credentials {
  /** The one used last first. */
  readonly accounts: readonly StoredAccount[];
}

const FILE = 'credentials.json';

export async function readCredentials(directory: string): Promise<Credentials> {
  const path = join(directory, FILE);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { accounts: [] };
    throw new Failure(`cannot read ${path}: ${(error as Error).message}`, {
      next: 'Make the file readable, or remove it and run: servicectl login',
    });
  }
  try {
    const accounts = readAccounts(JSON.parse(text));
    if (accounts) return { accounts };
  } catch {
    // Reported below.
  }
  throw new Failure(`${path} is damaged`, { next: 'Remove the file and run: servicectl login' });
}

/** Also reads the format of version 0.1.0: an object with one account per address, and the address used last. */
function readAccounts(value: unknown): StoredAccount[] | undefined {
  const { accounts, current } = value as { accounts?: unknown; current?: string };
  if (Array.isArray(accounts)) return accounts as StoredAccount[];
  if (typeof accounts !== 'object' || accounts === null) return undefined;
  return Object.entries(accounts as Record<string, StoredAccount>)
    .map(([url, account]) => ({ ...account, url }))
    .sort((a, b) => Number(b.url === current) - Number(a.url === current));
}

export async function writeCredentials(directory: string, credentials: Credentials): Promise<void> {
  const path = join(directory, FILE);
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await writeFile(draft, `${JSON.stringify(credentials, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await chmod(draft, 0o600);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw new Failure(`cannot write ${path}: ${(error as Error).message}`, {
      next: 'Make the directory writable, or set SERVICECTL_CONFIG_DIR to another one.',
    });
  }
}

/** Puts an account first, in place of the one of the same person and organization at that address. */
export function withAccount({ accounts }: Credentials, account: StoredAccount): Credentials {
  return { accounts: [account, ...accounts.filter((one) => !isSame(one, account))] };
}

/** Replaces an account where it stands: a setting of a sign-in does not make it the one in use. */
export function withChanged({ accounts }: Credentials, account: StoredAccount): Credentials {
  return { accounts: accounts.map((one) => (isSame(one, account) ? account : one)) };
}

export function withoutAccount({ accounts }: Credentials, account: StoredAccount): Credentials {
  return { accounts: accounts.filter((one) => !isSame(one, account)) };
}

/** Gives the session of a new sign-in to the other accounts of that person: they need not sign in one by one. */
export function withSession({ accounts }: Credentials, { url, token, session }: StoredAccount): Credentials {
  const person = describeToken(token)?.user;
  return {
    accounts: accounts.map((one) =>
      session !== undefined && one.session !== undefined && one.url === url && describeToken(one.token)?.user === person
        ? { ...one, session }
        : one,
    ),
  };
}

/** Who acts where: the address, the person and the organization. */
export function isSame(a: StoredAccount, b: StoredAccount): boolean {
  return identityOf(a) === identityOf(b);
}

function identityOf({ url, token, organization }: StoredAccount): string {
  const claims = describeToken(token);
  return JSON.stringify([url, claims?.user, organization?.id ?? claims?.organization]);
}

/** What `auth list` shows and --as takes. */
export function nameOf({ url, token, organization }: StoredAccount): string {
  const { host, pathname } = new URL(url);
  const at = `${host}${pathname.replace(/\/$/, '')}`;
  return `${organization?.slug ?? describeToken(token)?.organization ?? 'token'}@${at}`;
}
