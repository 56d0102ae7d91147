// Starts a part as systemd would start its unit: the same command, user, umask, limits, environment and directories,
// read from the unit file itself. What only systemd's own process 1 can do is named below, with the reason.
import { readFileSync } from 'node:fs';
import { readEnvFile, type Unit } from '../../../scripts/read-deploy-files.ts';
import type { InnerProcess, Machine } from './machine.ts';

export const REPRODUCED = [
  'User',
  'Group',
  'WorkingDirectory',
  'Environment',
  'EnvironmentFile',
  'UnsetEnvironment',
  'ExecStart',
  'LimitNOFILE',
  'StateDirectory',
  'StateDirectoryMode',
  'UMask',
  'NoNewPrivileges',
  'CapabilityBoundingSet',
  'ProtectSystem',
  'ProtectHome',
  'PrivateTmp',
  'BindReadOnlyPaths',
] as const;

const SECCOMP = 'a system call filter that systemd builds';
const WATCHES = 'what systemd does when a process ends';
export const NOT_REPRODUCED: Readonly<Record<string, string>> = {
  Type: WATCHES,
  Restart: WATCHES,
  RestartSec: WATCHES,
  RestartPreventExitStatus: WATCHES,
  TimeoutStopSec: WATCHES,
  KillMode: WATCHES,
  RemoveIPC: WATCHES,
  LoadCredential: 'a mount that systemd makes; what is missing in its store is left out',
  MemoryMax: 'a cgroup of systemd',
  PrivateDevices: 'a device tree of systemd',
  ProtectControlGroups: 'a cgroup tree of systemd',
  ProtectProc: 'a mount of /proc that systemd makes',
  ...Object.fromEntries(
    [
      'ProtectClock',
      'ProtectHostname',
      'ProtectKernelLogs',
      'ProtectKernelModules',
      'ProtectKernelTunables',
      'RestrictAddressFamilies',
      'RestrictNamespaces',
      'RestrictRealtime',
      'RestrictSUIDSGID',
      'LockPersonality',
      'SystemCallArchitectures',
      'SystemCallFilter',
      'SystemCallErrorNumber',
    ].map((name) => [name, SECCOMP]),
  ),
};

/** The state directory stays writable where the rest of the system does not. */
const CONFINE = `set -e
state=$1 strict=$2 home=$3 tmp=$4 umask=$5 directory=$6 shown=\${7#-}; shift 7
mount --bind "$state" "$state"
if [ -d "\${shown%%:*}" ]; then mkdir -p "\${shown#*:}"; mount --bind --options ro "\${shown%%:*}" "\${shown#*:}"; fi
if [ "$home" = yes ]; then for path in /home /root /run/user; do [ ! -d $path ] || mount -t tmpfs -o ro,mode=000 home $path; done; fi
if [ "$tmp" = yes ]; then for path in /tmp /var/tmp; do mount -t tmpfs -o mode=1777 tmp $path; done; fi
if [ "$strict" = strict ]; then mount -o remount,bind,ro /; fi
if [ "$strict" = full ]; then for path in /usr /etc; do mount --bind $path $path; mount -o remount,bind,ro $path; done; fi
umask "$umask"
cd "$directory"
exec "$@"`;

/** The environment that systemd hands to a unit: its own lines, then those of its files, without what it unsets. */
export async function environmentOfUnit(machine: Machine, { settings }: Unit): Promise<Record<string, string>> {
  const user = settings.get('User')?.[0] ?? 'root';
  const [, , , , , home = '/', shell = '/bin/sh'] = (await machine.sh(`getent passwd ${user}`)).trim().split(':');
  const files = await Promise.all((settings.get('EnvironmentFile') ?? []).map((file) => machine.sh(`cat ${file}`)));
  const unset = new Set((settings.get('UnsetEnvironment') ?? []).flatMap((line) => line.split(/\s+/)));
  const all = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin',
    LANG: 'C.UTF-8',
    HOME: home,
    LOGNAME: user,
    USER: user,
    SHELL: shell,
    ...readEnvFile((settings.get('Environment') ?? []).join('\n')),
    ...readEnvFile(files.join('\n')),
  };
  return Object.fromEntries(Object.entries(all).filter(([name]) => !unset.has(name)));
}

export async function startUnit(
  machine: Machine,
  unit: Unit,
  more: Readonly<Record<string, string>> = {},
): Promise<InnerProcess> {
  const one = (name: string, otherwise = ''): string => unit.settings.get(name)?.[0] ?? otherwise;
  const [user, group] = [one('User', 'root'), one('Group', one('User', 'root'))];
  const state = `/var/lib/${one('StateDirectory')}`;
  await machine.sh(
    `mkdir -p ${state} && chown ${user}:${group} ${state} && chmod ${one('StateDirectoryMode', '0755')} ${state}`,
  );
  const command = [
    'unshare',
    '--mount',
    '--propagation',
    'slave',
    'sh',
    '-c',
    CONFINE,
    unit.file,
    state,
    one('ProtectSystem', 'no'),
    one('ProtectHome', 'no'),
    one('PrivateTmp', 'no'),
    one('UMask', '0022'),
    one('WorkingDirectory', '/'),
    one('BindReadOnlyPaths'),
    'prlimit',
    `--nofile=${openFilesOf(unit)}`,
    'setpriv',
    '--reuid',
    user,
    '--regid',
    group,
    '--init-groups',
    ...(one('NoNewPrivileges') === 'yes' ? ['--no-new-privs'] : []),
    ...boundingSetOf(unit),
    ...one('ExecStart').split(' '),
  ];
  return machine.start(command, { environment: { ...(await environmentOfUnit(machine, unit)), ...more } });
}

/** systemd's names of capabilities, as setpriv writes them. */
function boundingSetOf({ settings }: Unit): string[] {
  const [names] = settings.get('CapabilityBoundingSet') ?? [];
  if (names === undefined) return [];
  const kept = names.split(' ').filter((name) => name !== '');
  const bounds = ['-all', ...kept.map((name) => `+${name.replace('CAP_', '').toLowerCase()}`)];
  return ['--inh-caps=-all', `--bounding-set=${bounds.join(',')}`];
}

/** As the unit says, or as many as this machine lets anybody have: not every root may raise that. */
export function openFilesOf({ settings }: Unit): number {
  const most = Number(
    /^Max open files\s+\S+\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Infinity,
  );
  return Math.min(Number(settings.get('LimitNOFILE')?.[0] ?? 1024), most);
}
