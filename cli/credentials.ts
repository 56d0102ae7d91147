// The stored credentials, by address. The file is readable only by its owner and is always replaced as a whole.
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from './failure.ts';

export interface StoredAccount {
  /** For the web server's API; absent after `login --token`. */
  readonly session?: string;
  /** The connect token. */
  readonly token: string;
  readonly tokenId?: string;
  readonly expiresAt?: string;
  /** The default of commands that take --workspace. */
  readonly workspace?: { readonly id: string; readonly slug: string; readonly name: string };
  readonly organization?: { readonly id: string; readonly slug: string; readonly name: string };
}

export interface Credentials {
  /** The address of the last sign-in. */
  readonly current?: string;
  readonly accounts: Readonly<Record<string, StoredAccount>>;
}

const FILE = 'credentials.json';
const NONE: Credentials = { accounts: {} };

export async function readCredentials(directory: string): Promise<Credentials> {
  const path = join(directory, FILE);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return NONE;
    throw new Failure(`cannot read ${path}: ${(error as Error).message}`, {
      next: 'Make the file readable, or remove it and run: servicectl login',
    });
  }
  try {
    const value = JSON.parse(text) as Credentials;
    if (typeof value.accounts === 'object' && value.accounts !== null) return value;
  } catch {
    // Reported below.
  }
  throw new Failure(`${path} is damaged`, { next: 'Remove the file and run: servicectl login' });
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

export function withAccount({ accounts }: Credentials, url: string, account: StoredAccount): Credentials {
  return { current: url, accounts: { ...accounts, [url]: account } };
}

export function withoutAccount({ current, accounts }: Credentials, url: string): Credentials {
  const { [url]: _removed, ...rest } = accounts;
  return { ...(current === undefined || current === url ? {} : { current }), accounts: rest };
}
