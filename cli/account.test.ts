import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { chooseAccount, findAccount } from './account.ts';
import { configDirectory } from './config-directory.ts';
import { readCredentials, withAccount, withoutAccount, withSession, writeCredentials } from './credentials.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'servicectl-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const host = (environment: Record<string, string> = {}) => ({
  environment: { SERVICECTL_CONFIG_DIR: directory, ...environment },
  stdin: new PassThrough(),
  stdout: new PassThrough(),
  stderr: new PassThrough(),
});

it('credentials are stored in a file that only the owner can read, even if the old file was readable by others', async () => {
  await writeFile(join(directory, 'credentials.json'), '{"accounts":{}}', { mode: 0o644 });
  await writeCredentials(directory, { accounts: [{ url: 'http://a.test', token: 't' }] });
  expect((await stat(join(directory, 'credentials.json'))).mode & 0o777).toBe(0o600);
  expect(await readCredentials(directory)).toEqual({ accounts: [{ url: 'http://a.test', token: 't' }] });
});

it('the file of the first version is read: one account per address, the last one first', async () => {
  const old = {
    current: 'http://b.test',
    accounts: { 'http://a.test': { token: 'a' }, 'http://b.test': { token: 'b' } },
  };
  await writeFile(join(directory, 'credentials.json'), JSON.stringify(old));
  expect(await readCredentials(directory)).toEqual({
    accounts: [
      { url: 'http://b.test', token: 'b' },
      { url: 'http://a.test', token: 'a' },
    ],
  });
});

it('a damaged file is reported, not overwritten', async () => {
  await writeFile(join(directory, 'credentials.json'), 'no json');
  await expect(readCredentials(directory)).rejects.toThrow('is damaged');
  expect(await readFile(join(directory, 'credentials.json'), 'utf8')).toBe('no json');
});

it('the address comes from the flag, then SERVICE_URL, then the last sign-in, then the default', async () => {
  expect((await findAccount(host(), {})).url).toBe('http://localhost:4000');
  await writeCredentials(directory, { accounts: [{ url: 'http://a.test', token: 't' }] });
  expect((await findAccount(host(), {})).url).toBe('http://a.test');
  expect((await findAccount(host({ SERVICE_URL: 'http://b.test/' }), {})).url).toBe('http://b.test');
  expect((await findAccount(host({ SERVICE_URL: 'http://b.test' }), { url: 'http://c.test/base/' })).url).toBe(
    'http://c.test/base',
  );
});

it('a stored credential is used only for its own address, and never together with a token from the environment', async () => {
  await writeCredentials(directory, { accounts: [{ url: 'http://a.test', token: 'stored', session: 'session' }] });
  expect(await findAccount(host(), {})).toMatchObject({ source: 'login', token: 'stored', session: 'session' });
  expect(await findAccount(host(), { url: 'http://b.test' })).toMatchObject({
    source: 'none',
    token: undefined,
    session: undefined,
  });
  expect(await findAccount(host({ SERVICE_TOKEN: ' given ' }), {})).toMatchObject({
    source: 'environment',
    token: 'given',
    session: undefined,
  });
});

const token = (user: string, org: string): string =>
  `h.${Buffer.from(JSON.stringify({ sub: user, org })).toString('base64url')}.s`;
const account = (host: string, slug: string, user = 'usr_1') => ({
  url: `https://${host}`,
  token: token(user, `org_${slug}`),
  session: `session of ${user}`,
  email: `${user}@example.test`,
  organization: { id: `org_${slug}`, slug, name: slug },
});

it('accounts stand beside each other: by address, organization and person', () => {
  const [acme, second] = [account('a.test', 'acme'), account('a.test', 'second')];
  const others = [account('b.test', 'acme'), account('a.test', 'acme', 'usr_2')];
  const all = [acme, second, ...others].reduce(withAccount, { accounts: [] });
  expect(all.accounts).toHaveLength(4);
  const again = { ...acme, session: 'new' };
  expect(withAccount(withSession(all, again), again).accounts.map(({ session }) => session)).toEqual([
    'new',
    'session of usr_2',
    'session of usr_1',
    'new',
  ]);
  expect(withoutAccount(all, second).accounts).not.toContain(second);
});

it('a sign-in is chosen by its name, or by what only it has', async () => {
  const accounts = [account('a.test', 'acme'), account('a.test', 'second'), account('b.test', 'acme', 'usr_2')];
  const [first, second, third] = accounts;
  expect(chooseAccount(accounts, 'acme@a.test')).toBe(first);
  expect(chooseAccount(accounts, 'second')).toBe(second);
  expect(chooseAccount(accounts, 'b.test')).toBe(third);
  expect(chooseAccount(accounts, 'usr_2@example.test')).toBe(third);
  expect(() => chooseAccount(accounts, 'acme')).toThrow("2 sign-ins match 'acme'");
  expect(() => chooseAccount(accounts, 'nobody')).toThrow('no such sign-in');
  await writeCredentials(directory, { accounts });
  expect(await findAccount(host({ SERVICE_TOKEN: 'given' }), { as: 'second' })).toMatchObject({
    source: 'login',
    stored: second,
  });
  await expect(findAccount(host(), { as: 'second', url: 'https://b.test' })).rejects.toThrow('is not for the address');
});

it('the settings directory follows the conventions of the platform', () => {
  expect(configDirectory({ environment: { HOME: '/home/ada' } }, 'linux')).toBe(
    join('/home/ada', '.config', 'servicectl'),
  );
  expect(configDirectory({ environment: { HOME: '/home/ada', XDG_CONFIG_HOME: '/x' } }, 'linux')).toBe(
    join('/x', 'servicectl'),
  );
  expect(configDirectory({ environment: { APPDATA: '/roaming' } }, 'win32')).toBe(join('/roaming', 'servicectl'));
});
