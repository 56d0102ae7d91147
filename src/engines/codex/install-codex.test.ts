import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { needs } from '../../../test/support/needs.ts';
import { RunFailure } from '../../runs/delivery/engine.ts';
import { CODEX_DIRECTORY, CODEX_PLATFORMS, codexManifests, vendorPath } from './codex-package.ts';
import { type CodexInstaller, createCodexInstaller } from './install-codex.ts';

const platform = CODEX_PLATFORMS['x64'];
if (platform === undefined) throw new Error('x64 is a platform of Codex');
const log = pino({ level: 'silent' });
const never = new AbortController().signal;

describe('the Codex CLI', needs('linux'), () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'service-codex-install-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  /** A stand-in for npm that does what the script says in the directory it is called in. */
  async function installer(script: string, timeLimitMs = 20_000): Promise<CodexInstaller> {
    const npm = join(directory, 'npm');
    await writeFile(npm, `#!/bin/sh\nset -e\necho "$@" >>${directory}/calls\n${script}\n`);
    await chmod(npm, 0o755);
    return createCodexInstaller({ tools: join(directory, 'tools'), log, npm, timeLimitMs, arch: 'x64' });
  }
  const calls = async (): Promise<string[]> =>
    (await readFile(join(directory, 'calls'), 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  const MAKES = `mkdir -p ${vendorPath(platform)}/bin; echo '#!/bin/sh' >${vendorPath(platform)}/bin/codex; chmod 755 ${vendorPath(platform)}/bin/codex`;

  it('is installed from digests, without running scripts, and found where sandboxes see it', async () => {
    const told: string[] = [];
    const codex = await installer(`grep -q sha512- package-lock.json; ${MAKES}`);
    expect(await codex.ensure(never, async () => void told.push('installing'))).toEqual({
      program: `${CODEX_DIRECTORY}/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex`,
      path: `${CODEX_DIRECTORY}/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/codex-path`,
    });
    expect(await calls()).toEqual(['ci --ignore-scripts --no-audit --no-fund --omit=dev --loglevel=error']);
    expect(told).toEqual(['installing']);
    expect(await readdir(join(directory, 'tools'))).toEqual(['.installing', CODEX_DIRECTORY]);
    await codex.ensure(never, async () => void told.push('again'));
    expect(told).toEqual(['installing']);
  });

  it('can be read by the users of the runs, whatever umask the worker has', async () => {
    const codex = await installer(`umask 077; ${MAKES}; echo x >licence`);
    const { program } = await codex.ensure(never);
    const modeOf = (path: string): string => (statSync(join(directory, 'tools', path)).mode & 0o777).toString(8);
    expect([program, dirname(program), CODEX_DIRECTORY, '.', `${CODEX_DIRECTORY}/licence`].map(modeOf)).toEqual([
      '755',
      '755',
      '755',
      '755',
      '644',
    ]);
  });

  it('is installed once for concurrent callers', async () => {
    const codex = await installer(`sleep 0.5; ${MAKES}`);
    const source = `import { createCodexInstaller } from ${JSON.stringify(join(import.meta.dirname, 'install-codex.ts'))};
      const log = { info() {}, error() {} };
      await createCodexInstaller({ tools: ${JSON.stringify(join(directory, 'tools'))}, npm: ${JSON.stringify(join(directory, 'npm'))}, log, arch: 'x64' }).ensure(new AbortController().signal);`;
    const another = promisify(execFile)(process.execPath, [
      '--disable-warning=ExperimentalWarning',
      '--input-type=module',
      '-e',
      source,
    ]);
    await Promise.all([codex.ensure(never), codex.ensure(never), another]);
    expect(await calls()).toHaveLength(1);
  });

  it.each([
    ['npm fails', 'echo "npm error code E404 at registry.example" >&2; exit 1', /npm failed with E404\b/],
    ['npm fails without a code', 'exit 7', /npm failed with code 7/],
    ['the package holds no program', 'true', /no program for this machine/],
  ])('says why it cannot be made ready, and leaves nothing half done: %s', async (_what, script, reason) => {
    const codex = await installer(script);
    const failure = await codex.ensure(never).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RunFailure);
    expect(failure).toMatchObject({ code: 'codex_unavailable', message: expect.stringMatching(reason) });
    expect(String(failure)).not.toContain('registry.example');
    expect(await readdir(join(directory, 'tools'))).not.toContain(`.${CODEX_DIRECTORY}`);
    // The next run tries again.
    await expect((await installer(MAKES)).ensure(never)).resolves.toBeDefined();
  });

  it('is given up after the time limit', async () => {
    await expect((await installer('exec sleep 60', 200)).ensure(never)).rejects.toMatchObject({
      code: 'codex_unavailable',
      message: expect.stringContaining('took longer'),
    });
  });

  it('does not keep a run waiting that has ended', async () => {
    const abort = new AbortController();
    const waiting = (await installer('exec sleep 60', 3_000)).ensure(abort.signal, async () =>
      abort.abort(new Error('aborted by a person')),
    );
    await expect(waiting).rejects.toThrow('aborted by a person');
  });

  it('is refused on a platform without one', async () => {
    await expect(createCodexInstaller({ tools: directory, log, arch: 'riscv64' }).ensure(never)).rejects.toMatchObject({
      code: 'codex_unavailable',
      message: expect.stringContaining('riscv64'),
    });
  });

  it('names no host to fetch it from', () => {
    for (const one of Object.values(CODEX_PLATFORMS))
      expect(JSON.stringify(codexManifests(one))).not.toMatch(/https?:|resolved/);
  });
});
