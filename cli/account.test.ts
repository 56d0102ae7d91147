import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findAccount } from './account.ts';
import { configDirectory } from './config-directory.ts';
import { readCredentials, withAccount, withoutAccount, writeCredentials } from './credentials.ts';

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
  await writeCredentials(directory, withAccount({ accounts: {} }, 'http://a.test', { token: 't' }));
  expect((await stat(join(directory, 'credentials.json'))).mode & 0o777).toBe(0o600);
  expect(await readCredentials(directory)).toEqual({
    current: 'http://a.test',
    accounts: { 'http://a.test': { token: 't' } },
  });
});

it('a damaged file is reported, not overwritten', async () => {
  await writeFile(join(directory, 'credentials.json'), 'no json');
  await expect(readCredentials(directory)).rejects.toThrow('is damaged');
  expect(await readFile(join(directory, 'credentials.json'), 'utf8')).toBe('no json');
});

it('the address comes from the flag, then SERVICE_URL, then the last sign-in, then the default', async () => {
  expect((await findAccount(host(), {})).url).toBe('http://localhost:4000');
  await writeCredentials(directory, withAccount({ accounts: {} }, 'http://a.test', { token: 't' }));
  expect((await findAccount(host(), {})).url).toBe('http://a.test');
  expect((await findAccount(host({ SERVICE_URL: 'http://b.test/' }), {})).url).toBe('http://b.test');
  expect((await findAccount(host({ SERVICE_URL: 'http://b.test' }), { url: 'http://c.test/base/' })).url).toBe(
    'http://c.test/base',
  );
});

it('a stored credential is used only for its own address, and never together with a token from the environment', async () => {
  await writeCredentials(
    directory,
    withAccount({ accounts: {} }, 'http://a.test', { token: 'stored', session: 'session' }),
  );
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

it('removing an account keeps the others', () => {
  const both = withAccount(withAccount({ accounts: {} }, 'http://a.test', { token: 'a' }), 'http://b.test', {
    token: 'b',
  });
  expect(withoutAccount(both, 'http://b.test')).toEqual({ accounts: { 'http://a.test': { token: 'a' } } });
  expect(withoutAccount(both, 'http://a.test')).toEqual({
    current: 'http://b.test',
    accounts: { 'http://b.test': { token: 'b' } },
  });
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
