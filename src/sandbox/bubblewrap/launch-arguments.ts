// The arguments of bubblewrap for one command. They are passed through a file descriptor, never on the command line,
// which every user of the machine could read.
import { join } from 'node:path';
import { EGRESS_MOUNT, EGRESS_ENVIRONMENT } from '../egress/inside.ts';
import type { Host } from './host.ts';
import { SANDBOX_UID } from './write-etc.ts';

export interface LaunchLayout {
  readonly host: Host;
  /** Directory with workspace, tmp, home and shm: everything a run may write to. */
  readonly disk: string;
  readonly etc: string;
  readonly shownEtc: readonly string[];
  /** The Node binary, at a path that every user can reach. */
  readonly node: string;
  readonly tools: string;
  readonly egress?: string;
  /** Whether this bubblewrap can disable user namespaces inside; the seccomp filter refuses them either way. */
  readonly disableUserns: boolean;
}

export const SANDBOX_NODE = '/opt/service/node';
/** The tools directory of the data directory, with programs that are installed on demand, such as a run engine. */
export const SANDBOX_TOOLS = '/opt/tools';

const ENVIRONMENT = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin:/opt/tools/bin:/opt/service',
  HOME: '/home/agent',
  USER: 'agent',
  LOGNAME: 'agent',
  SHELL: '/bin/bash',
  LANG: 'C.UTF-8',
  TMPDIR: '/tmp',
};

export function launchArguments(
  layout: LaunchLayout,
  command: { cwd: string; env: Readonly<Record<string, string>> },
): string[] {
  const { host, disk, egress } = layout;
  const environment = { ...ENVIRONMENT, ...(egress === undefined ? {} : EGRESS_ENVIRONMENT), ...command.env };
  return [
    '--unshare-all',
    '--unshare-user',
    '--uid',
    String(SANDBOX_UID),
    '--gid',
    String(SANDBOX_UID),
    '--hostname',
    'sandbox',
    ...(layout.disableUserns ? ['--disable-userns'] : []),
    '--die-with-parent',
    '--new-session',
    '--cap-drop',
    'ALL',
    '--clearenv',
    ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
    '--ro-bind',
    '/usr',
    '/usr',
    ...host.usrLinks.flatMap(({ path, target }) =>
      target === undefined ? ['--ro-bind', path, path] : ['--symlink', target, path],
    ),
    '--ro-bind',
    layout.etc,
    '/etc',
    ...layout.shownEtc.flatMap((name) => ['--ro-bind', join('/etc', name), join('/etc', name)]),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--bind',
    join(disk, 'shm'),
    '/dev/shm',
    '--remount-ro',
    '/dev',
    '--bind',
    join(disk, 'tmp'),
    '/tmp',
    '--symlink',
    '../tmp',
    '/var/tmp',
    '--bind',
    join(disk, 'home'),
    '/home/agent',
    '--bind',
    join(disk, 'workspace'),
    '/workspace',
    '--ro-bind',
    layout.node,
    SANDBOX_NODE,
    '--ro-bind',
    layout.tools,
    SANDBOX_TOOLS,
    ...(egress === undefined ? [] : ['--ro-bind', egress, EGRESS_MOUNT]),
    '--remount-ro',
    '/',
    '--chdir',
    command.cwd,
  ];
}
