// One sandbox of the bubblewrap driver: its disk, limits and commands.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { chown, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { makeDirectory } from '../../process/make-directory.ts';
import type { Cgroup, CgroupHierarchy } from '../cgroups/cgroup.ts';
import type { Command, DriverSandbox, EndReason, Exit, RunningCommand, SandboxSpec } from '../driver.ts';
import { behindForwarder } from '../egress/inside.ts';
import { workspaceFiles } from '../workspace-files.ts';
import type { Watchdog } from '../watchdog/watchdog.ts';
import { type Disk, diskAt, makeDisk, measureDisk, removeTree, unmount } from './disk.ts';
import { watchFirstProcess } from './first-process.ts';
import type { Host } from './host.ts';
import { launchArguments, SANDBOX_NODE, type LaunchLayout } from './launch-arguments.ts';
import { ARGUMENTS_FD, FILTER_FD, INFO_FD, launchCommand, rlimitsOf } from './launch-script.ts';
import { killLaunch } from './kill-launch.ts';
import type { MountSpace } from './mount-space.ts';
import { createPipePool, openOutputPipes, type PipeStock } from './output-pipes.ts';
import type { Programs } from './programs.ts';
import type { UidPool } from './uid-pool.ts';

/** Everything about the machine that a sandbox needs, prepared once. */
export interface BubblewrapContext {
  readonly host: Host;
  readonly programs: Programs;
  readonly cgroups: CgroupHierarchy | undefined;
  /** Replaces cgroups, and measures disks without a size limit; absent if neither is needed. */
  readonly watchdog: Watchdog | undefined;
  /** Absent if nothing can be mounted. */
  readonly space: MountSpace | undefined;
  readonly uids: UidPool | undefined;
  readonly filter: Buffer;
  readonly shared: Pick<LaunchLayout, 'etc' | 'shownEtc' | 'node' | 'tools' | 'disableUserns'>;
}

interface StartedCommand extends RunningCommand {
  readonly pid: number;
  /** Kills it, and sets the reason that its exit reports. */
  endFor(reason: EndReason): void;
}

export async function createSandbox(context: BubblewrapContext, spec: SandboxSpec): Promise<DriverSandbox> {
  const { host, programs, space } = context;
  const uid = context.uids?.take();
  if (context.uids !== undefined && uid === undefined) throw new AppError('sandbox_full');
  const directory = join(host.directory, 'boxes', spec.id);
  const disk = diskAt(join(directory, 'disk'), space);
  let cgroup: Cgroup | undefined;
  const { running, track, killAll } = trackCommands();
  let closing = false;

  const kill = (): Promise<void> => killAll(cgroup);
  const watched = context.watchdog?.watch({
    id: spec.id,
    limits: spec.limits,
    roots: () => [...running].map(({ pid }) => pid),
    disk: async () => ({ bytes: await measureDisk(programs, disk).catch(() => 0), hasOwnSize: space !== undefined }),
    exceeded(limit) {
      if (limit === 'disk') for (const command of running) command.endFor('disk_full');
    },
  });
  const destroy = async (): Promise<void> => {
    closing = true;
    await kill();
    watched?.stop();
    if (space !== undefined) await unmount(programs, space, disk.directory);
    await removeTree(programs, directory);
    await cgroup?.remove();
    if (uid !== undefined) context.uids?.give(uid);
  };
  const isFull = async (): Promise<boolean> =>
    space === undefined && ((await measureDisk(programs, disk)) ?? Infinity) > spec.limits.diskBytes;

  try {
    await makeDirectory(directory, 0o711);
    await makeDisk(programs, disk, spec.limits.diskBytes, uid);
    cgroup = await context.cgroups?.create(spec.id, spec.limits);
  } catch (error) {
    await destroy().catch(() => {});
    throw error;
  }
  const pipes = createPipePool(programs, join(directory, 'io'));
  const layout: LaunchLayout = {
    host,
    disk: disk.directory,
    ...context.shared,
    ...(spec.egress === undefined ? {} : { egress: spec.egress.directory }),
  };
  const files = workspaceFiles(disk.reach('workspace'), uid);

  return {
    uid,
    files: {
      ...files,
      async write(path, bytes) {
        if (await isFull()) throw new AppError('sandbox_disk_full');
        await files.write(path, bytes);
      },
    },
    kill,
    destroy,
    stats: async () => ({ ...(await cgroup?.stats()), ...watched?.stats() }),
    async exec(command) {
      if (closing) throw new AppError('sandbox_not_found');
      return track(
        start(
          context,
          { layout, directory, disk, uid, spec, pipes, full: await isFull(), joinFiles: cgroup?.joinFiles ?? [] },
          command,
        ),
      );
    },
  };
}

interface Commands {
  readonly running: ReadonlySet<StartedCommand>;
  track(launch: Promise<StartedCommand>): Promise<StartedCommand>;
  /** Resolves once they are gone. */
  killAll(cgroup: Cgroup | undefined): Promise<void>;
}

/** The commands of one sandbox, including those that are being launched. */
function trackCommands(): Commands {
  const running = new Set<StartedCommand>();
  const starting = new Set<Promise<StartedCommand>>();
  return {
    running,
    track(launch) {
      const tracked = launch.then((started) => {
        running.add(started);
        started.exited.finally(() => running.delete(started)).catch(() => {});
        return started;
      });
      starting.add(tracked);
      return tracked.finally(() => starting.delete(tracked));
    },
    async killAll(cgroup) {
      // A command that is being launched would escape: wait for it, then kill it like the others.
      await Promise.allSettled(starting);
      for (const command of running) command.kill();
      await cgroup?.kill();
      await Promise.all([...running].map(({ exited }) => exited.catch(() => {})));
    },
  };
}

/** What a command of one sandbox is started with. */
interface CommandSetup {
  readonly layout: LaunchLayout;
  readonly directory: string;
  readonly disk: Disk;
  readonly uid: number | undefined;
  readonly spec: SandboxSpec;
  /** Already over its limit: a command may remove files but not write. */
  readonly full: boolean;
  readonly joinFiles: readonly string[];
  readonly pipes: PipeStock;
}

async function start(
  { host, programs, filter, cgroups, space }: BubblewrapContext,
  setup: CommandSetup,
  command: Command,
): Promise<StartedCommand> {
  const { layout, uid, spec } = setup;
  const pipes = await openOutputPipes(setup.pipes, uid);
  const stdin = Buffer.isBuffer(command.stdin)
    ? await openStdin(join(setup.directory, 'io'), command.stdin, uid)
    : undefined;
  const argv =
    layout.egress === undefined || command.network === false
      ? command.argv
      : behindForwarder(SANDBOX_NODE, command.argv);
  const rlimits = rlimitsOf(spec.limits, { cgroup: cgroups === undefined, disk: space === undefined });
  const { file, args } = launchCommand({
    programs,
    joinFiles: setup.joinFiles,
    enter: space?.enter ?? [],
    uid,
    rlimits: setup.full ? { ...rlimits, fileBytes: 0 } : rlimits,
    rlimitMax: host.rlimitMax,
    lowPriority: cgroups?.limitsCpu !== true,
    argv,
  });
  // An empty environment: /proc/1/environ inside shows the environment that bubblewrap was started with.
  const child = spawn(file, args, {
    cwd: '/',
    env: {},
    stdio: [stdin ?? (command.stdin === undefined ? 'ignore' : 'pipe'), ...pipes.writers, 'pipe', 'pipe', 'pipe'],
  });
  const spawned = once(child, 'spawn');
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  ended.catch(() => {});
  for (const [index, bytes] of [
    [ARGUMENTS_FD, listOf(launchArguments(layout, { cwd: command.cwd, env: { ...spec.env, ...command.env } }))],
    [FILTER_FD, filter],
  ] as const) {
    const pipe = child.stdio[index] as NodeJS.WritableStream;
    // A launch that fails early closes its end before everything is read; its exit code tells why.
    pipe.on('error', () => {});
    pipe.end(bytes);
  }
  try {
    await spawned;
  } catch (error) {
    pipes.stdout.destroy();
    pipes.stderr.destroy();
    throw error;
  } finally {
    await pipes.closeWriters();
    if (stdin !== undefined) closeSync(stdin);
  }
  // A command need not read all of it: its exit code tells whether it has what it needs.
  if (command.stdin !== undefined && child.stdin !== null) pipeline(command.stdin, child.stdin).catch(() => {});
  const first = watchFirstProcess(child.stdio.at(INFO_FD) as Readable);
  const read = Promise.all(
    [pipes.stdout, pipes.stderr].map((stream) => finished(stream, { writable: false }).catch(() => {})),
  );
  let reason: EndReason | undefined;
  const exited = (async (): Promise<Exit> => {
    const [code, signal] = await ended;
    await read;
    await first.gone();
    return { code, signal, ...(reason === undefined ? {} : { reason }) };
  })();
  const kill = (): void => {
    // After it has exited its pid may belong to another process.
    if (child.exitCode === null && child.signalCode === null) void killLaunch(child.pid ?? 0);
  };
  const endFor = (why: EndReason): void => {
    reason = why;
    kill();
  };
  return { pid: child.pid ?? 0, stdout: pipes.stdout, stderr: pipes.stderr, exited, kill, endFor };
}

/** Standard input as an unnamed file: it can be opened again as /dev/stdin, and reading never waits for a writer. */
async function openStdin(directory: string, bytes: Buffer, uid: number | undefined): Promise<number> {
  const path = join(directory, newId('in'));
  await writeFile(path, bytes, { mode: 0o400, flag: 'wx' });
  if (uid !== undefined) await chown(path, uid, uid);
  const fd = openSync(path, constants.O_RDONLY);
  await unlink(path);
  return fd;
}

function listOf(args: readonly string[]): Buffer {
  return Buffer.from(args.map((arg) => `${arg}\0`).join(''));
}
