// Runs commands in containers of an engine with Docker's command line: plain, or with gVisor's runtime, which puts a
// kernel of its own between a run and the machine. The engine enforces the limits; if it cannot, there are no runs.
import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDirectory } from '../../process/make-directory.ts';
import type { LimitMeans } from '../../contract/sandbox-limits.ts';
import type { Probe, SandboxDriver } from '../driver.ts';
import { lockDirectory } from '../lock-directory.ts';
import { createContainer, type ContainerContext } from './create-container.ts';
import { pickClientVariables } from './docker-program.ts';
import { type Engine, findEngine } from './find-engine.ts';
import { provideImage } from './provide-image.ts';
import { tryOut } from './try-out.ts';

export interface DockerSettings {
  readonly name: 'docker' | 'gvisor';
  readonly runtime?: string;
  readonly image: string;
  readonly dataDirectory: string;
  /** Of the controller; the engine's client gets some of its variables. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** For tests: programs that replace docker and podman. */
  readonly programs?: readonly string[];
}

const LABEL = 'service-sandbox';
/** For engines that would show the machine's file. */
const HOSTS = '127.0.0.1 localhost sandbox\n::1 localhost\n';

export function dockerDriver(settings: DockerSettings): SandboxDriver {
  const instance = createHash('sha256').update(settings.dataDirectory).digest('hex').slice(0, 12);
  const directory = join(tmpdir(), `service-sandbox-containers-${process.getuid?.() ?? 0}-${instance}`);
  let context: ContainerContext | undefined;
  const getContext = (): ContainerContext => {
    if (context === undefined) throw new Error('probe() must be called first');
    return context;
  };
  const close = (): Promise<void> => rm(directory, { recursive: true, force: true });
  const egressDirectory = async (id: string): Promise<string> => {
    const path = join(directory, 'boxes', id, 'egress');
    await makeDirectory(path, 0o711);
    return path;
  };

  return {
    name: settings.name,
    async probe() {
      const found = await findEngine({
        runtime: settings.runtime,
        variables: pickClientVariables(settings.environment),
        programs: settings.programs,
      });
      if (!found.ok) return found;
      const { engine } = found;
      const lock = await prepareDirectory(directory);
      if (!lock.ok)
        return {
          ok: false,
          reason: `another controller (pid ${lock.pid}) serves this data directory`,
          fix: 'stop it, or use another data directory',
        };
      const label = `${LABEL}=${instance}`;
      await removeOrphans(engine, label);
      const provided = await provideImage(engine, settings.image);
      if (!provided.ok) return refuse(provided);
      const tools = join(settings.dataDirectory, 'tools');
      await makeDirectory(tools, 0o755);
      context = {
        engine,
        image: provided.image,
        runtime: settings.runtime,
        label,
        tools,
        directory,
        hosts: join(directory, 'hosts'),
        nproc: await readProcessLimit(),
        prefix: `${LABEL}-${instance}-`,
      };
      const refusal = await tryOut(context, egressDirectory);
      return refusal === undefined ? { ok: true, ...describe(engine) } : refuse(refusal);
    },
    egressDirectory,
    create: (spec) => createContainer(getContext(), spec),
    close,
  };

  async function refuse(refusal: Probe): Promise<Probe> {
    await close();
    return refusal;
  }
}

/** Private to us: the egress sockets in it are open to every user of a container, whatever their user ID here. */
async function prepareDirectory(directory: string): ReturnType<typeof lockDirectory> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const { uid, mode } = await lstat(directory);
  if (uid !== process.getuid?.() || (mode & 0o7777) !== 0o700)
    throw new Error(`${directory} does not belong to the controller alone`);
  const lock = await lockDirectory(directory);
  if (!lock.ok) return lock;
  await rm(join(directory, 'boxes'), { recursive: true, force: true });
  await writeFile(join(directory, 'hosts'), HOSTS);
  await chmod(join(directory, 'hosts'), 0o644);
  return lock;
}

/** The highest number of processes that one user can have: by the limit of this process, and by the number of pids. */
async function readProcessLimit(): Promise<number> {
  const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');
  const hard = /^Max processes\s+\S+\s+(\d+)/m.exec(await read('/proc/self/limits'))?.[1];
  const numbers = /^\d+/.exec(await read('/proc/sys/kernel/pid_max'))?.[0];
  return Math.min(Number(hard ?? Infinity), Number(numbers ?? 32_768));
}

async function removeOrphans({ program }: Engine, label: string): Promise<void> {
  const { stdout } = await program.run(['ps', '--all', '--quiet', '--filter', `label=${label}`]);
  for (const id of stdout.split('\n').filter(Boolean)) await program.run(['rm', '--force', '--volumes', id]);
}

/** The engine enforces every limit except time, which the controller does, and processor time if it cannot. */
function describe({ info }: Engine): { limits: LimitMeans; why?: string } {
  return {
    limits: {
      memory: 'engine',
      processes: 'engine',
      disk: 'engine',
      cpu: info.cpu ? 'engine' : 'priority',
      time: 'timer',
    },
    ...(info.cpu ? {} : { why: `${info.kind} cannot limit processor time here` }),
  };
}
