// A machine for a test that follows an operator's guide: this machine's files under an overlay that keeps
// every change in memory, with a network of its own that has only the loopback. What is installed, written, mounted or
// listened on in there is gone when it is closed, and nothing outside changes. Only root can make one.
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

export type InnerProcess = ChildProcessByStdio<null, Readable, Readable>;

export interface Machine {
  /** Starts a program in there; its path is the machine's. */
  start(argv: readonly string[], options?: InMachine): InnerProcess;
  /** Runs a program to its end. */
  run(argv: readonly string[], options?: InMachine): Promise<Ended>;
  /** Runs a script of bash, and fails where it fails. */
  sh(script: string, options?: InMachine): Promise<string>;
  close(): Promise<void>;
}

interface InMachine {
  readonly environment?: Readonly<Record<string, string>>;
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** pivot_root, not chroot: a chroot forbids user namespaces, which every sandbox needs. */
const BEGIN = `set -e
mount -t tmpfs -o mode=755 machine "$1" && cd "$1" && mkdir upper work root
mount -t overlay machine -o lowerdir=/,upperdir="$1"/upper,workdir="$1"/work root
for path in proc sys dev; do mount --rbind /$path root/$path; done
cd root && mkdir -p .before && pivot_root . .before && umount -l .before
ip link set lo up
echo ready
read -r _`;

/** Why there can be none here; undefined where there can. */
export function whyNoMachine(): string | undefined {
  if (process.platform !== 'linux') return 'needs Linux';
  if (process.getuid?.() !== 0) return 'needs root';
  const script = `mount -t tmpfs x /mnt && mkdir /mnt/u /mnt/w /mnt/r && mount -t overlay x -o lowerdir=/,upperdir=/mnt/u,workdir=/mnt/w /mnt/r && ip link set lo up`;
  return spawnSync('unshare', ['--mount', '--net', '--propagation', 'private', 'sh', '-c', script]).status === 0
    ? undefined
    : 'needs overlay mounts, network namespaces and the program ip';
}

export async function startMachine(): Promise<Machine> {
  const directory = await mkdtemp(join(tmpdir(), 'service-machine-'));
  const holder = spawn(
    'unshare',
    ['--mount', '--net', '--propagation', 'private', 'bash', '-c', BEGIN, 'machine', directory],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const ended = once(holder, 'exit');
  const ready = await Promise.race([once(holder.stdout, 'data').then(() => true), ended.then(() => false)]);
  if (!ready) throw new Error('no machine could be made');
  const started = new Set<InnerProcess>();

  const start: Machine['start'] = (argv, { environment = {} } = {}) => {
    const child = spawn('nsenter', ['--target', String(holder.pid), '--mount', '--net', '--', ...argv], {
      env: { PATH, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started.add(child);
    child.once('exit', () => started.delete(child));
    return child;
  };
  const run: Machine['run'] = async (argv, options) => {
    const child = start(argv, options);
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, ...output };
  };
  return {
    start,
    run,
    async sh(script, options) {
      const { code, stdout, stderr } = await run(['bash', '--norc', '-euo', 'pipefail', '-c', script], options);
      if (code !== 0) throw new Error(`${script}\nended with ${code}: ${stdout}${stderr}`);
      return stdout;
    },
    async close() {
      const left = [...started];
      const gone = left.map((child) => once(child, 'exit'));
      for (const child of left) child.kill('SIGTERM');
      await Promise.all(gone);
      holder.stdin.end();
      await ended;
      await rmdir(directory);
    },
  };
}
