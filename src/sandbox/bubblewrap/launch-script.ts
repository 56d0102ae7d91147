// The few steps between our process and bubblewrap, in bash: join the cgroups while still allowed to, lower the limits
// of the process, drop every descriptor that leaked into us, forget the environment, then become bubblewrap through
// setpriv. One process all along: killing it kills bubblewrap, and with it everything inside.
import type { SandboxLimits } from '../limits.ts';
import type { Programs } from './programs.ts';

/** After the standard streams: bubblewrap's arguments, the seccomp filter, and where it says what it has started. */
export const ARGUMENTS_FD = 3;
export const FILTER_FD = 4;
export const INFO_FD = 5;

const SCRIPT = `
for ((left = $1; left > 0; left--)); do shift; echo 0 >"$1" || exit 125; done
shift
ulimit -c 0 && ulimit -n "$1" || exit 125
shift
for path in /proc/self/fd/*; do fd=\${path##*/}; if ((fd > ${INFO_FD})); then eval "exec $fd>&-"; fi; done
exec -c "$@"`;

export interface Launch {
  readonly programs: Programs;
  readonly joinFiles: readonly string[];
  /** User to become; undefined keeps ours. */
  readonly uid: number | undefined;
  readonly limits: Pick<SandboxLimits, 'openFiles'>;
  readonly openFilesMax: number;
  readonly argv: readonly string[];
}

export function launchCommand({ programs, joinFiles, uid, limits, openFilesMax, argv }: Launch): { file: string; args: string[] } {
  const files = Math.min(limits.openFiles, openFilesMax);
  const drop = uid === undefined ? ['--no-new-privs'] : ['--reuid', String(uid), '--regid', String(uid), '--clear-groups', '--no-new-privs', '--bounding-set=-all'];
  return {
    file: programs.bash,
    args: [
      '--noprofile', '--norc', '-c', SCRIPT, 'launch', String(joinFiles.length), ...joinFiles, String(files),
      programs.setpriv, ...drop,
      programs.bwrap, '--args', String(ARGUMENTS_FD), '--seccomp', String(FILTER_FD), '--info-fd', String(INFO_FD), '--', ...argv,
    ],
  };
}
