// PostgreSQL refuses to run as root. Under root it runs in a user namespace that maps root to nobody: no account is
// created, the files stay root's, and a directory that only root may enter works. If user namespaces are not allowed
// (some containers), it runs as the real user nobody, and its directory is given to that user.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmod, chown, lchown, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PostgresBinaries } from './binaries.ts';
import { CannotStartPostgres } from './cannot-start.ts';

export type RunAs = 'caller' | 'namespace' | 'nobody';

const NOBODY = 65_534;
const PREFIX = {
  caller: [],
  namespace: ['unshare', '-U', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`],
  nobody: ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'],
} as const satisfies Record<RunAs, readonly string[]>;

export function chooseRunAs(): RunAs {
  if (process.getuid?.() !== 0) return 'caller';
  for (const way of ['namespace', 'nobody'] as const) if (works(way, 'true', [])) return way;
  throw new CannotStartPostgres(
    'PostgreSQL does not run as root, and neither unshare nor setpriv works here: start as an ordinary user, or set SERVICE_UPSTREAM_DB to a PostgreSQL server of your own',
  );
}

export function spawnAs(
  way: RunAs,
  [program, ...args]: readonly [program: string, ...args: string[]],
  { binaries, logFd }: { binaries: PostgresBinaries; logFd: number },
): ChildProcess {
  const [command = program, ...rest] = [...PREFIX[way], program, ...args];
  // In its own process group: Ctrl-C in the terminal reaches the stack, which then stops its parts in order.
  return spawn(command, rest, { stdio: ['ignore', logFd, logFd], detached: true, env: environment(binaries) });
}

/** Gives the cluster to the user who will run it. The user nobody must also be able to traverse the directory above. */
export async function prepareDirectory(way: RunAs, directory: string, binaries: PostgresBinaries): Promise<void> {
  await chmod(directory, 0o700);
  if (way === 'caller') return;
  const owner = way === 'nobody' ? NOBODY : 0;
  if ((await stat(directory)).uid !== owner) await giveTo(directory, owner);
  if (way === 'namespace') return;
  const parent = dirname(directory);
  const { mode } = await stat(parent);
  if ((mode & 0o001) === 0) await chmod(parent, (mode & 0o777) | 0o011);
  for (const [flag, path] of [
    ['-w', directory],
    ['-x', binaries.postgres],
  ] as const) {
    if (!works(way, 'test', [flag, path])) {
      throw new CannotStartPostgres(
        `PostgreSQL does not run as root, and the user nobody cannot reach ${path}: choose another --data-dir, start as an ordinary user, or set SERVICE_UPSTREAM_DB to a PostgreSQL server of your own`,
      );
    }
  }
}

/** Lets the user who runs initdb read the file with the first password. */
export async function shareFile(way: RunAs, file: string): Promise<void> {
  if (way !== 'nobody') return;
  await chown(file, NOBODY, NOBODY);
  await chown(dirname(file), NOBODY, NOBODY);
}

function works(way: RunAs, program: string, args: readonly string[]): boolean {
  const [command = program, ...rest] = [...PREFIX[way], program, ...args];
  return (
    spawnSync(command, rest, { stdio: 'ignore', timeout: 10_000, env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' } })
      .status === 0
  );
}

async function giveTo(directory: string, owner: number): Promise<void> {
  for (const entry of await readdir(directory, { recursive: true })) await lchown(join(directory, entry), owner, owner);
  await chown(directory, owner, owner);
}

function environment({ libraries }: PostgresBinaries): NodeJS.ProcessEnv {
  return {
    PATH: '/usr/bin:/bin:/usr/sbin:/sbin',
    LD_LIBRARY_PATH: libraries,
    DYLD_LIBRARY_PATH: libraries,
    LC_ALL: 'C',
    TZ: 'UTC',
  };
}
