import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLocalProfile } from './read-local-profile.ts';

describe('a local cloud profile', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'service-local-profile-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));
  async function plant(name: string, script: string): Promise<string> {
    await writeFile(join(directory, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(directory, name), 0o755);
    return `${directory}:/usr/bin:/bin`;
  }

  it('is read by the client of the machine, without the environment of the service', async () => {
    const path = await plant('aws', 'echo "$@"; env | cut -d= -f1 | sort | tr "\\n" " "');
    const said = await readLocalProfile('aws', 'dev', { allowed: 'other, dev', path });
    expect(said).toContain('configure export-credentials --format process --profile dev');
    expect(
      said
        .split('\n')[1]
        ?.split(' ')
        .filter((name) => !['HOME', 'PATH', 'PWD', 'SHLVL', '_', 'OLDPWD', ''].includes(name)),
    ).toEqual([]);
    await plant('gcloud', 'echo "$@"');
    expect(await readLocalProfile('gcloud', 'dev', { allowed: '*', path })).toBe(
      'auth print-access-token --quiet --configuration=dev\n',
    );
  });

  it.each([
    ['no profile is shared', undefined, 'dev', 'does not share'],
    ['another is shared', 'prod', 'dev', 'does not share'],
    ['the client is not there', '*', 'dev', 'is not installed'],
    ['it would be read as an option', '*', '--debug', 'cannot start with -'],
  ])('is refused when %s', async (_what, allowed, profile, said) => {
    await expect(readLocalProfile('aws', profile, { allowed, path: directory })).rejects.toThrow(said);
  });

  it("is refused without the client's output when the client fails", async () => {
    const path = await plant('aws', 'echo "secret words" >&2; exit 1');
    const failure = await readLocalProfile('aws', 'dev', { allowed: '*', path }).catch((error: unknown) => error);
    expect(String(failure)).toContain("no credentials for the local profile 'dev'");
    expect(String(failure)).not.toContain('secret words');
  });
});
