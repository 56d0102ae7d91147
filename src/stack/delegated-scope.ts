// systemd can run a program of an unprivileged user in a cgroup that the user may subdivide: a scope with Delegate=yes.
// The program keeps its pid and file descriptors, because systemd-run executes it in place. A scope is tried out before
// it is used.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, isSet } from './environment-values.ts';

export interface DelegatedScope {
  readonly command: readonly string[];
  /** How systemd-run finds the user's service manager. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface ScopeMachine {
  readonly program: string;
  /** Exists only with cgroups v2; v1 cannot be delegated. */
  readonly controllers: string;
  readonly root: boolean;
  readonly runtimeDirectory: string;
}

const TRY_MS = 5_000;
const THIS_MACHINE: ScopeMachine = {
  program: '/usr/bin/systemd-run',
  controllers: '/sys/fs/cgroup/cgroup.controllers',
  root: process.getuid?.() === 0,
  runtimeDirectory: `/run/user/${process.getuid?.() ?? 0}`,
};

/** Undefined if none is available, or none is needed. */
export async function findScope(
  given: Environment,
  machine: ScopeMachine = THIS_MACHINE,
): Promise<DelegatedScope | undefined> {
  if (machine.root || !existsSync(machine.program) || !existsSync(machine.controllers)) return undefined;
  const directory = isSet(given.XDG_RUNTIME_DIR) ? given.XDG_RUNTIME_DIR : machine.runtimeDirectory;
  if (!existsSync(join(directory, 'systemd'))) return undefined;
  const environment = {
    XDG_RUNTIME_DIR: directory,
    ...(isSet(given.DBUS_SESSION_BUS_ADDRESS) ? { DBUS_SESSION_BUS_ADDRESS: given.DBUS_SESSION_BUS_ADDRESS } : {}),
  };
  const command = [
    machine.program,
    '--user',
    '--scope',
    '--quiet',
    '--collect',
    '--property=Delegate=yes',
    '--property=TasksMax=infinity',
    '--',
  ];
  return (await runs([...command, '/bin/true'], environment)) ? { command, environment } : undefined;
}

function runs(
  [file = '', ...args]: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<boolean> {
  return new Promise((resolve) =>
    execFile(
      file,
      args,
      { env: { PATH: '/usr/bin:/bin', ...environment }, timeout: TRY_MS, killSignal: 'SIGKILL' },
      (error) => resolve(error === null),
    ),
  );
}
