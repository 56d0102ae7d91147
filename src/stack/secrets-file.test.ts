import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mergeSecrets } from './generate-secrets.ts';
import { readSecretsFile, writeSecretsFile } from './secrets-file.ts';

let directory: string;
let path: string;
const { kept } = mergeSecrets({}, {}, ['postgres', 'local-integrations']);

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'service-secrets-'));
  path = join(directory, '.env');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe('the secrets file', () => {
  it('comes back as it was written, for its owner alone, with nothing left beside it', async () => {
    await writeSecretsFile(path, kept);
    expect(await readSecretsFile(path)).toEqual(kept);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(directory)).toEqual(['.env']);
  });

  it('holds nothing when it is not there yet', async () => {
    expect(await readSecretsFile(path)).toEqual({});
  });

  it('is closed to others again when somebody opened it', async () => {
    await writeSecretsFile(path, kept);
    await chmod(path, 0o644);
    await readSecretsFile(path);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['a cut line', (text: string) => text.slice(0, -20)],
    ['a name that is none of its own', (text: string) => `${text}OPENAI_API_KEY=sk-x\n`],
    ['a name twice', (text: string) => text + text],
    ['a line that is no assignment', (text: string) => `${text}\u0000\u0000\u0000\n`],
    ['an inherited name', (text: string) => `${text}constructor=x\n`],
  ])('stops the start when it has %s, and repeats none of it', async (_, damage) => {
    await writeSecretsFile(path, kept);
    await writeFile(path, damage(await readFile(path, 'utf8')));
    const refused = readSecretsFile(path);
    await expect(refused).rejects.toThrow(/\.env is damaged in line \d+: restore it/);
    const { message } = (await refused.catch((error: Error) => error)) as Error;
    for (const secret of Object.values(kept)) expect(message).not.toContain(secret.slice(0, 8));
  });
});
