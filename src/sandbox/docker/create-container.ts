import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DriverSandbox, RunningCommand, SandboxSpec } from '../driver.ts';
import { EGRESS_SOCKET } from '../egress/inside.ts';
import { containerArguments, execArguments } from './container-arguments.ts';
import { containerFiles } from './container-files.ts';
import { findError, type StartedCall } from './docker-program.ts';
import type { Engine } from './find-engine.ts';
import { behindSharedForwarder } from './share-forwarder.ts';

/** What all containers of a controller share. */
export interface ContainerContext {
  readonly engine: Engine;
  readonly image: string;
  readonly runtime: string | undefined;
  readonly label: string;
  readonly prefix: string;
  readonly tools: string;
  readonly directory: string;
  readonly hosts: string;
  readonly nproc: number;
}

export const CONTAINER_NODE = '/opt/service/node';
/**
 * Kills everything of the run's user but the first process, which keeps the container alive. Needs no process but
 * itself.
 */
const END_ALL = ['sh', '-c', 'kill -9 -1; true'];
const END_AGAIN_MS = 250;
const END_ATTEMPTS = 5;
const LOW_PRIORITY = ['nice', '-n', '15'];

export async function createContainer(context: ContainerContext, spec: SandboxSpec): Promise<DriverSandbox> {
  const {
    engine: { program, info },
    image,
    runtime,
    label,
    tools,
    hosts,
    nproc,
  } = context;
  const container = `${context.prefix}${spec.id}`;
  const remove = async (): Promise<void> => {
    await program.run(['rm', '--force', '--volumes', container]);
    await rm(join(context.directory, 'boxes', spec.id), { recursive: true, force: true });
  };
  const made = await program.run(
    containerArguments({
      container,
      label,
      spec,
      image,
      runtime,
      info,
      tools,
      hosts,
      nproc,
      node: { from: process.execPath, to: CONTAINER_NODE },
    }),
  );
  if (made.code !== 0) {
    await remove();
    throw new Error(`a container cannot be created: ${findError(made.stderr)}`);
  }

  const running = new Set<StartedCall>();
  // One at a time: two of them would kill each other.
  let ending: ReturnType<typeof program.run> | undefined;
  const endAll = (): ReturnType<typeof program.run> =>
    (ending ??= program.run(['exec', container, ...END_ALL]).finally(() => (ending = undefined)));
  const kill = async (): Promise<void> => {
    const gone = Promise.all([...running].map(({ exited }) => exited.catch(() => {}))).then(() => true);
    // A command may enter the container after the others were killed, or keep the killer from entering. If that
    // persists, the container itself is killed, along with its files.
    for (let failures = 0; ;) {
      let ended = (await endAll()).code === 0;
      if (!ended && ++failures >= END_ATTEMPTS) {
        if ((await program.run(['kill', container])).code !== 0) for (const call of running) call.leave();
        ended = true;
      }
      if ((await Promise.race([gone, delay(END_AGAIN_MS, false)])) && ended) return;
    }
  };
  let opened: Promise<void> | undefined;
  const openEgress = (): Promise<void> =>
    (opened ??=
      spec.egress === undefined ? Promise.resolve() : chmod(join(spec.egress.directory, EGRESS_SOCKET), 0o666));

  return {
    // No user ID: the engine may map the run's user to any. The parent directory keeps everyone else out.
    uid: undefined,
    files: containerFiles(program, container),
    kill,
    async exec(command): Promise<RunningCommand> {
      await openEgress();
      const argv = [
        ...(info.cpu ? [] : LOW_PRIORITY),
        ...(spec.egress === undefined || command.network === false
          ? command.argv
          : behindSharedForwarder(CONTAINER_NODE, command.argv)),
      ];
      const call = program.start({
        ...execArguments(container, { ...command, argv, env: { ...spec.env, ...command.env } }),
        stdin: command.stdin,
      });
      running.add(call);
      call.exited.finally(() => running.delete(call)).catch(() => {});
      return { stdout: call.stdout, stderr: call.stderr, exited: call.exited, kill: () => void kill() };
    },
    destroy: remove,
    stats: async () => ({}),
  };
}
