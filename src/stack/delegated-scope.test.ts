import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findScope, type ScopeMachine } from './delegated-scope.ts';

let directory: string;
let machine: ScopeMachine;

/** Stands in for systemd-run: notes what it was asked and whom it would ask, then becomes the program. */
const STAND_IN = `#!/bin/sh
echo "$XDG_RUNTIME_DIR $*" >>"$(dirname "$0")/calls"
while [ "$1" != -- ]; do shift; done
shift
exec "$@"
`;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'service-scope-'));
  machine = {
    program: join(directory, 'systemd-run'),
    controllers: join(directory, 'cgroup.controllers'),
    root: false,
    runtimeDirectory: join(directory, 'user'),
  };
  await writeFile(machine.controllers, 'cpu memory pids');
  await mkdir(join(machine.runtimeDirectory, 'systemd'), { recursive: true });
  await install(STAND_IN);
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function install(program: string): Promise<void> {
  await writeFile(machine.program, program);
  await chmod(machine.program, 0o755);
}

describe('a scope for the sandbox controller', () => {
  it('is had from the manager of the user, after it was tried', async () => {
    const scope = await findScope({}, machine);
    expect(scope).toEqual({
      command: [
        machine.program,
        '--user',
        '--scope',
        '--quiet',
        '--collect',
        '--property=Delegate=yes',
        '--property=TasksMax=infinity',
        '--',
      ],
      environment: { XDG_RUNTIME_DIR: machine.runtimeDirectory },
    });
    expect(await readFile(join(directory, 'calls'), 'utf8')).toBe(
      `${machine.runtimeDirectory} --user --scope --quiet --collect --property=Delegate=yes --property=TasksMax=infinity -- /bin/true\n`,
    );
  });

  it('is asked for where the environment says that the manager is', async () => {
    const elsewhere = join(directory, 'elsewhere');
    await mkdir(join(elsewhere, 'systemd'), { recursive: true });
    expect(
      (await findScope({ XDG_RUNTIME_DIR: elsewhere, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/bus' }, machine))
        ?.environment,
    ).toEqual({ XDG_RUNTIME_DIR: elsewhere, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/bus' });
  });

  it.each([
    ['for root', () => void (machine = { ...machine, root: true })],
    ['without systemd-run', () => rm(machine.program)],
    ['where cgroups are of the first generation', () => rm(machine.controllers)],
    ['where the user has no manager', () => rm(machine.runtimeDirectory, { recursive: true })],
    ['where the manager refuses', () => install('#!/bin/sh\nexit 1\n')],
  ])('is not there %s', async (_case, change) => {
    await change();
    expect(await findScope({}, machine)).toBeUndefined();
  });
});
