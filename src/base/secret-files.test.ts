import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { ENVIRONMENT, type Variable, type VariableName } from './environment.ts';
import { secretOfFileVariable, withSecretFiles } from './secret-files.ts';

const SECRETS = Object.entries<Variable>(ENVIRONMENT).filter(([, { secret }]) => secret);
const GOOD: Partial<Record<Variable['kind'], string>> = {
  key32: Buffer.alloc(32, 'k').toString('base64'),
  'postgres-url': 'postgresql://u:p@h/d',
  'redis-url': 'redis://h:1',
  'smtp-url': 'smtp://h:25',
};
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'secret-files-'));
});
afterAll(() => rm(directory, { recursive: true }));

async function fileWith(content: string | Uint8Array): Promise<string> {
  const path = join(await mkdtemp(join(directory, 'one-')), 'secret');
  await writeFile(path, content);
  return path;
}

const refusal = (environment: Record<string, string>): string | undefined =>
  [...withSecretFiles(environment).refused.values()][0];

it.each(SECRETS)('%s is taken from its file, without the newline at its end', async (name, { kind }) => {
  const value = GOOD[kind] ?? 'hush hush';
  const read = (environment: Record<string, string>): unknown => readConfig(environment)[name as VariableName];
  expect(read({ [`${name}_FILE`]: await fileWith(`${value}\n`) })).toEqual(read({ [name]: value }));
});

it('systemd credentials are taken, and only those of secrets', async () => {
  const credentials = await mkdtemp(join(directory, 'credentials-'));
  await writeFile(join(credentials, 'AUTH_SECRET'), 'from systemd');
  await writeFile(join(credentials, 'SERVICE_WEB_PORT'), '9');
  const config = readConfig({ CREDENTIALS_DIRECTORY: credentials });
  expect([config.AUTH_SECRET, config.SERVICE_WEB_PORT]).toEqual(['from systemd', 4001]);
});

it('the secret of an OAuth client may be in a file', async () => {
  const { environment } = withSecretFiles({ SERVICE_OAUTH_GITHUB_CLIENT_SECRET_FILE: await fileWith('shh') });
  expect(environment).toEqual({ SERVICE_OAUTH_GITHUB_CLIENT_SECRET: 'shh' });
  expect(secretOfFileVariable('SERVICE_WEB_PORT_FILE')).toBeUndefined();
});

it('an empty variable beside its file counts as absent', async () => {
  expect(readConfig({ AUTH_SECRET: ' ', AUTH_SECRET_FILE: await fileWith('in the file') }).AUTH_SECRET).toBe(
    'in the file',
  );
});

describe('one line says what is wrong, without the path', () => {
  it('of a secret that is given twice', async () => {
    const path = await fileWith('one');
    expect(refusal({ AUTH_SECRET: 'two', AUTH_SECRET_FILE: path })).toBe(
      'AUTH_SECRET is given twice, also by AUTH_SECRET_FILE: keep one of them.',
    );
    const credentials = await mkdtemp(join(directory, 'credentials-'));
    await writeFile(join(credentials, 'AUTH_SECRET'), 'three');
    expect(refusal({ AUTH_SECRET_FILE: path, CREDENTIALS_DIRECTORY: credentials })).toMatch(/given twice/);
  });

  it.each([
    ['nothing there', async () => join(directory, 'absent'), /cannot be read \(ENOENT\)/],
    ['a directory', async () => directory, /regular file/],
    ['a pipe', async () => (spawnSync('mkfifo', [join(directory, 'pipe')]), join(directory, 'pipe')), /regular file/],
    ['too much', () => fileWith('x'.repeat(64 * 1024 + 1)), /more than 64 KiB/],
    ['nothing in it', () => fileWith('\n'), /empty/],
    ['two lines', () => fileWith('one\ntwo\n'), /more than one line/],
    ['a NUL', () => fileWith('one\0two'), /more than one line/],
    ['other bytes than text', () => fileWith(new Uint8Array([0xff, 0xfe])), /cannot be read/],
  ])('of a file with %s', async (_what, make, sentence) => {
    const path = await make();
    const said = refusal({ AUTH_SECRET_FILE: path });
    expect(said).toMatch(sentence);
    expect(said).toMatch(/^AUTH_SECRET_FILE [^\n]+\.$/);
    expect(said).not.toContain(directory);
    expect(() => readConfig({ AUTH_SECRET_FILE: path })).toThrow(said);
  });
});

it('a directory of credentials that is not there is no fault', async () => {
  await mkdir(join(directory, 'none'), { recursive: true });
  expect(refusal({ CREDENTIALS_DIRECTORY: join(directory, 'gone') })).toBeUndefined();
});
