import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { newId } from '../../base/ids.ts';
import { EGRESS_SOCKET } from '../egress/inside.ts';
import { withDefaults } from '../limits.ts';
import { CONTAINER_NODE, createContainer, type ContainerContext } from './create-container.ts';
import { findError } from './docker-program.ts';
import type { EngineRefusal } from './find-engine.ts';
import { readSelfTest, selfTest } from './self-test.ts';

const NO_EGRESS_FIX = {
  plain:
    'the engine must run on this machine and see its temporary directory, the image must have bash and be able to run Node, and no policy (SELinux) may block sockets in containers',
  gvisor: 'let gVisor open sockets on the machine: register runsc with the argument --host-uds=open',
};

/** Creates a container like that of a run, with egress, and checks it from inside. Undefined if everything holds. */
export async function tryOut(
  context: ContainerContext,
  egressDirectory: (id: string) => Promise<string>,
): Promise<EngineRefusal | undefined> {
  const id = newId('probe');
  const directory = await egressDirectory(id);
  const server = createServer((socket) => socket.destroy()).listen(join(directory, EGRESS_SOCKET));
  await once(server, 'listening');
  try {
    return await lookInside(context, { id, directory });
  } finally {
    server.close();
  }
}

async function lookInside(
  context: ContainerContext,
  { id, directory }: { id: string; directory: string },
): Promise<EngineRefusal | undefined> {
  const limits = withDefaults({});
  const ownKernel = context.runtime !== undefined;
  const noEgress = (why: string): EngineRefusal => ({
    ok: false,
    reason: `a run cannot reach its egress proxy (${why})`,
    fix: NO_EGRESS_FIX[ownKernel ? 'gvisor' : 'plain'],
  });
  const sandbox = await createContainer(context, { id, limits, env: {}, egress: { directory } }).catch(
    (error: Error) => error,
  );
  if (sandbox instanceof Error)
    return {
      ok: false,
      reason: sandbox.message,
      fix: `check that ${context.engine.info.kind} can run ${context.image}`,
    };
  try {
    const command = await sandbox.exec({ argv: selfTest(CONTAINER_NODE), env: {}, cwd: '/workspace' });
    const [stdout, stderr, { code }] = await Promise.all([text(command.stdout), text(command.stderr), command.exited]);
    if (code !== 0) return noEgress(findError(stderr));
    const { weaknesses, egress } = readSelfTest(stdout, { limits, ownKernel });
    if (weaknesses.length > 0)
      return {
        ok: false,
        reason: `the container is not secure: ${weaknesses.join(', ')}`,
        fix: `update ${context.engine.info.kind}, and check that its configuration gives containers no access to the machine and can limit memory and pids`,
      };
    return egress === 'open' ? undefined : noEgress(egress);
  } finally {
    await sandbox.destroy();
  }
}
