// The arguments of bubblewrap for one command. They travel through a descriptor, never the command line, where every
// user of the machine could read them.
import { join } from 'node:path';
import { EGRESS_MOUNT, EGRESS_ENVIRONMENT } from '../egress/inside.ts';
import type { Host } from './host.ts';
import { SANDBOX_UID } from './write-etc.ts';

export interface LaunchLayout {
  readonly host: Host;
  /** Directory with workspace, tmp, home and shm: all that a run may write. */
  readonly disk: string;
  readonly etc: string;
  readonly shownEtc: readonly string[];
  /** The Node binary, at a path that every user may pass. */
  readonly node: string;
  readonly tools: string;
  readonly egress?: string;
  /** Whether this bubblewrap can switch user namespaces off inside; the seccomp filter refuses them either way. */
  readonly disableUserns: boolean;
}

export const SANDBOX_NODE = '/opt/service/node';
/** The directory tools of the data directory: where what is installed on demand, such as a run engine, is found. */
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
