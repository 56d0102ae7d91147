// podman and buildah with a store of their own: nothing here meets the images, containers and networks of the machine.
// The files that say so are written at each start and named in the environment; every client of the engine reads them.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..');
export const CACHE = join(ROOT, '.cache', 'deploy');
/** The engine refuses long paths for its sockets. */
const RUN = `/run/service-deploy-${createHash('sha256').update(CACHE).digest('hex').slice(0, 12)}`;

export const ENGINE_ENVIRONMENT = {
  CONTAINERS_CONF: join(CACHE, 'containers.conf'),
  CONTAINERS_STORAGE_CONF: join(CACHE, 'storage.conf'),
  CONTAINERS_REGISTRIES_CONF: join(CACHE, 'registries.conf'),
};

export interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export function run(
  program: string,
  args: readonly string[],
  options: { readonly input?: string; readonly cwd?: string } = {},
): Ran {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    env: { ...process.env, ...ENGINE_ENVIRONMENT, LC_ALL: 'C.UTF-8' },
    cwd: ROOT,
    ...options,
  });
  return { status: status ?? 1, stdout: stdout ?? '', stderr: error === undefined ? (stderr ?? '') : error.message };
}

/** What it prints; throws with the last lines of its complaint. */
export function must(program: string, args: readonly string[], options?: Parameters<typeof run>[2]): string {
  const { status, stdout, stderr } = run(program, args, options);
  if (status !== 0)
    throw new Error(
      `${program} ${args[0]} ended with ${status}: ${`${stdout}\n${stderr}`.trim().split('\n').slice(-15).join('\n')}`,
    );
  return stdout.trim();
}

export function podman(...args: readonly string[]): string {
  return must('podman', args);
}

/** `driver` is overlay where the kernel allows it, vfs elsewhere; the runtime must know the machine's kind of cgroups. */
export function writeEngineFiles(driver: 'overlay' | 'vfs'): void {
  mkdirSync(join(CACHE, 'networks'), { recursive: true });
  mkdirSync(RUN, { recursive: true, mode: 0o700 });
  writeFileSync(
    ENGINE_ENVIRONMENT.CONTAINERS_STORAGE_CONF,
    `[storage]\ndriver = "${driver}"\ngraphroot = "${join(CACHE, `storage-${driver}`)}"\nrunroot = "${RUN}/storage"\n`,
  );
  // The names in deploy/ are short; here they mean what they mean to Docker.
  writeFileSync(
    ENGINE_ENVIRONMENT.CONTAINERS_REGISTRIES_CONF,
    'unqualified-search-registries = ["docker.io"]\nshort-name-mode = "permissive"\n',
  );
  const { files, processes } = readHardLimits();
  const lines = [
    '[containers]',
    // Else it raises both to the kernel's maximum, which not every root may.
    `default_ulimits = ["nofile=${files}:${files}", "nproc=${processes}:${processes}"]`,
    '[engine]',
    'runtime = "runc"',
    'cgroup_manager = "cgroupfs"',
    'events_logger = "file"',
    'lock_type = "file"',
    `tmp_dir = "${RUN}/libpod"`,
    '[network]',
    'network_backend = "netavark"',
    `network_config_dir = "${join(CACHE, 'networks')}"`,
  ];
  writeFileSync(ENGINE_ENVIRONMENT.CONTAINERS_CONF, `${lines.join('\n')}\n`);
}

function readHardLimits(): { files: number; processes: number } {
  const limits = readFileSync('/proc/self/limits', 'utf8');
  const hard = (name: string): number =>
    Number(new RegExp(`^${name}\\s+\\S+\\s+(\\d+)`, 'm').exec(limits)?.[1] ?? Infinity);
  const numbers = Number(readFileSync('/proc/sys/kernel/pid_max', 'utf8'));
  return { files: Math.min(hard('Max open files'), 1_048_576), processes: Math.min(hard('Max processes'), numbers) };
}
