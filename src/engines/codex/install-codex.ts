// Installs the Codex CLI into the data directory when the first run needs it: once for all workers, and completely or not
// at all. Sandboxes see the directory read-only.
import { spawn } from 'node:child_process';
import { access, chmod, constants, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processEnvironment } from '../../base/config.ts';
import type { Log } from '../../telemetry/log.ts';
import { makeDirectory } from '../../process/make-directory.ts';
import { lockDirectory } from '../../sandbox/lock-directory.ts';
import { RunFailure } from '../../runs/delivery/engine.ts';
import { CODEX_DIRECTORY, CODEX_PLATFORMS, CODEX_VERSION, codexManifests, vendorPath } from './codex-package.ts';

export interface InstalledCodex {
  /** Paths of the program and of its bundled programs, relative to the tools directory. */
  readonly program: string;
  readonly path: string;
}

export interface CodexInstaller {
  /** Resolves once it is installed. Calls `onInstall` before it installs or waits for another worker to. */
  ensure(signal: AbortSignal, onInstall?: () => Promise<unknown>): Promise<InstalledCodex>;
}

export interface InstallerOptions {
  /** `<data-dir>/tools`. */
  readonly tools: string;
  readonly log: Log;
  readonly npm?: string;
  readonly timeLimitMs?: number;
  readonly arch?: string;
}

const TIME_LIMIT_MS = 10 * 60_000;
const LOOK_EVERY_MS = 500;
/** The environment that npm gets: only what it needs to find programs and its registry. */
const PASSED_ON = /^(?:path|home|npm_config_\w+|https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_(?:file|dir))$/i;

export function createCodexInstaller({
  tools,
  log,
  npm = 'npm',
  timeLimitMs = TIME_LIMIT_MS,
  arch = process.arch,
}: InstallerOptions): CodexInstaller {
  const platform = Object.hasOwn(CODEX_PLATFORMS, arch) ? CODEX_PLATFORMS[arch] : undefined;
  let installing: Promise<void> | undefined;

  return {
    async ensure(signal, onInstall) {
      if (platform === undefined || process.platform !== 'linux')
        throw unavailable(`it does not exist for ${process.platform} on ${arch}`);
      const vendor = `${CODEX_DIRECTORY}/${vendorPath(platform)}`;
      const installed: InstalledCodex = { program: `${vendor}/bin/codex`, path: `${vendor}/codex-path` };
      const isThere = (): Promise<boolean> =>
        access(join(tools, installed.program), constants.X_OK).then(
          () => true,
          () => false,
        );
      if (await isThere()) return installed;
      await onInstall?.();
      signal.throwIfAborted();
      installing ??= install({ tools, npm, timeLimitMs, log, isThere, files: codexManifests(platform) }).finally(
        () => (installing = undefined),
      );
      // An aborted caller stops waiting; the installation goes on for the others.
      await Promise.race([
        installing,
        new Promise<never>((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
        ),
      ]);
      return installed;
    },
  };
}

interface Installation {
  readonly tools: string;
  readonly npm: string;
  readonly timeLimitMs: number;
  readonly log: Log;
  readonly isThere: () => Promise<boolean>;
  readonly files: Readonly<Record<string, string>>;
}

async function install({ tools, npm, timeLimitMs, log, isThere, files }: Installation): Promise<void> {
  const limit = AbortSignal.timeout(timeLimitMs);
  const locks = join(tools, '.installing');
  const staging = join(tools, `.${CODEX_DIRECTORY}`);
  await makeDirectory(locks, 0o755).catch((error: NodeJS.ErrnoException) =>
    Promise.reject(unavailable(`${tools} cannot be written to (${error.code ?? 'unknown'})`)),
  );
  let lock = await lockDirectory(locks);
  while (!lock.ok) {
    if (limit.aborted)
      throw unavailable(`another worker has been installing it for more than ${Math.round(timeLimitMs / 1000)} s`);
    await sleep(LOOK_EVERY_MS);
    lock = await lockDirectory(locks);
  }
  try {
    if (await isThere()) return;
    log.info({ version: CODEX_VERSION, tools }, 'installing the Codex CLI (once)');
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging);
    for (const [name, text] of Object.entries(files)) await writeFile(join(staging, name), text);
    await runNpm({ npm, timeLimitMs, log }, staging, limit);
    await openToEveryone(staging);
    await rm(join(tools, CODEX_DIRECTORY), { recursive: true, force: true });
    await rename(staging, join(tools, CODEX_DIRECTORY));
    if (!(await isThere())) throw unavailable('the installed package has no program for this machine');
    log.info({ version: CODEX_VERSION }, 'the Codex CLI is installed');
  } finally {
    await rm(staging, { recursive: true, force: true });
    await lock.unlock();
  }
}

/** Runs read it as other users, and npm applies this process's umask, which may leave others no access. */
async function openToEveryone(directory: string): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true });
  await chmod(directory, 0o755);
  for (const entry of entries.filter((one) => one.isDirectory() || one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const runs = entry.isDirectory() || ((await stat(path)).mode & 0o100) !== 0;
    await chmod(path, runs ? 0o755 : 0o644);
  }
}

async function runNpm(
  { npm, timeLimitMs, log }: Pick<Installation, 'npm' | 'timeLimitMs' | 'log'>,
  directory: string,
  signal: AbortSignal,
): Promise<void> {
  const env = Object.fromEntries(Object.entries(processEnvironment()).filter(([name]) => PASSED_ON.test(name)));
  const child = spawn(npm, ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--omit=dev', '--loglevel=error'], {
    cwd: directory,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4_000)));
  const ended = await new Promise<number | string>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    child.once('close', (code, killed) => resolve(code ?? killed ?? 'unknown'));
  });
  if (ended === 0) return;
  if (signal.aborted) throw unavailable(`installing it took longer than ${Math.round(timeLimitMs / 1000)} s`);
  // npm's output may contain a registry's address; the person who waits gets only its error code.
  log.error({ npm: said, ended }, 'could not install the Codex CLI');
  throw unavailable(
    ended === 'ENOENT'
      ? 'npm was not found'
      : `npm failed with ${/\bcode (E[A-Z0-9_]{2,40})\b/.exec(said)?.[1] ?? `code ${ended}`}`,
  );
}

function unavailable(reason: string): RunFailure {
  return new RunFailure(
    'codex_unavailable',
    `The Codex CLI ${CODEX_VERSION} could not be installed: ${reason}. Try again, or ask your operator; docs/operators/sandbox.md describes the installation.`,
  );
}
