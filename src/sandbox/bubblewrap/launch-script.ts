// The steps between our process and bubblewrap, in bash: set the usual umask, join the cgroups while still allowed to,
// lower the process limits (writing past the file size is an error, not a signal), become the kernel's first choice
// when memory runs out, close every leaked file descriptor, clear the environment, then exec bubblewrap through
// setpriv. It is one process throughout: killing it kills bubblewrap, and everything inside.
import type { SandboxLimits } from '../limits.ts';
import type { Rlimits } from './host.ts';
import type { Programs } from './programs.ts';

/**
 * After the standard streams: bubblewrap's arguments, the seccomp filter, and the descriptor on which it reports what
 * it started.
 */
export const ARGUMENTS_FD = 3;
export const FILTER_FD = 4;
export const INFO_FD = 5;

/** How bubblewrap is called, up to the command; also how a launch is recognised in the process list. */
export const LAUNCH_ARGUMENTS = [
  '--args',
  String(ARGUMENTS_FD),
  '--seccomp',
  String(FILTER_FD),
  '--info-fd',
  String(INFO_FD),
  '--',
];

const SCRIPT = `
umask 022
for ((left = $1; left > 0; left--)); do shift; echo 0 >"$1" || exit 125; done
shift
ulimit -c 0 && ulimit -n "$1" && ulimit -d "$2" && ulimit -f "$3" || exit 125
shift 3
trap '' XFSZ
echo 1000 2>/dev/null >/proc/self/oom_score_adj
for path in /proc/self/fd/*; do fd=\${path##*/}; if ((fd > ${INFO_FD})); then eval "exec $fd>&-"; fi; done
exec -c "$@"`;

export interface Launch {
  readonly programs: Programs;
  readonly joinFiles: readonly string[];
  /** Enters the namespace in which the disk of the sandbox is mounted. */
  readonly enter: readonly string[];
  /** User to switch to; undefined keeps ours. */
  readonly uid: number | undefined;
  readonly rlimits: Rlimits;
  readonly rlimitMax: Rlimits;
  /** Used if nothing limits processor time. */
  readonly lowPriority: boolean;
  readonly argv: readonly string[];
}

/**
 * The limits that rlimits enforce without cgroups. Address space is not memory: a process may map more than it will
 * use.
 */
export function rlimitsOf(limits: SandboxLimits, weak: { cgroup: boolean; disk: boolean }): Rlimits {
  return {
    openFiles: limits.openFiles,
    processes: weak.cgroup ? limits.processes : Infinity,
    dataBytes: weak.cgroup ? Math.max(2 * limits.memoryBytes, 1024 ** 3) : Infinity,
    fileBytes: weak.disk ? limits.diskBytes : Infinity,
  };
}

export function launchCommand({ programs, joinFiles, enter, uid, rlimits, rlimitMax, lowPriority, argv }: Launch): {
  file: string;
  args: string[];
} {
  const kib = (bytes: number): string => (bytes === Infinity ? 'unlimited' : String(Math.floor(bytes / 1024)));
  const limit = (name: keyof Rlimits): number => Math.min(rlimits[name], rlimitMax[name]);
  return {
    file: programs.bash,
    args: [
      '--noprofile',
      '--norc',
      '-c',
      SCRIPT,
      'launch',
      String(joinFiles.length),
      ...joinFiles,
      String(limit('openFiles')),
      kib(limit('dataBytes')),
      kib(limit('fileBytes')),
      ...(lowPriority ? [programs.nice, '-n', '15'] : []),
      ...enter,
      programs.setpriv,
      ...dropArguments(enter, uid),
      programs.bwrap,
      ...LAUNCH_ARGUMENTS,
      // The kernel counts processes per user namespace, so this limit is set inside, where it counts only this command.
      ...(rlimits.processes === Infinity
        ? []
        : [programs.prlimit, `--nproc=${limit('processes')}:${limit('processes')}`, '--']),
      ...argv,
    ],
  };
}

/**
 * In our own namespace we are root; to map that user further in, bubblewrap needs this one capability, which it drops
 * inside.
 */
function dropArguments(enter: readonly string[], uid: number | undefined): string[] {
  if (uid !== undefined)
    return ['--reuid', String(uid), '--regid', String(uid), '--clear-groups', '--no-new-privs', '--bounding-set=-all'];
  return enter.length > 0 ? ['--no-new-privs', '--inh-caps=-all', '--bounding-set=-all,+setfcap'] : ['--no-new-privs'];
}
