// The command that installs packages on this machine, for people to copy.
import { readFile } from 'node:fs/promises';
import { PACKAGES, type ProgramName } from './programs.ts';

/** By ID and ID_LIKE of the system. Package names are Debian's, which the others share. */
const COMMANDS: Readonly<Record<string, string>> = {
  debian: 'apt-get install',
  ubuntu: 'apt-get install',
  fedora: 'dnf install',
  rhel: 'dnf install',
  arch: 'pacman -S',
  suse: 'zypper install',
  opensuse: 'zypper install',
  alpine: 'apk add',
};

export async function installCommand(missing: readonly ProgramName[]): Promise<string> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return describeInstall(missing, release, process.getuid?.() === 0);
}

export function describeInstall(missing: readonly ProgramName[], release: string, root: boolean): string {
  const ids = [...release.matchAll(/^ID(?:_LIKE)?="?([^"\n]*)"?$/gm)].flatMap(([, value = '']) => value.split(' '));
  const command = ids.flatMap((id) => COMMANDS[id] ?? [])[0];
  const packages = [...new Set(missing.map((name) => PACKAGES[name]))].join(' ');
  return command === undefined
    ? `install ${packages} with your system's package manager`
    : `${root ? '' : 'sudo '}${command} ${packages}`;
}
