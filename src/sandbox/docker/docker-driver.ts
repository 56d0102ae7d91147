// Runs in containers of an engine that speaks Docker's command line: plain, or with gVisor's runtime, which puts a
// kernel of its own between a run and the machine. The engine keeps the limits; nothing is shared with the machine.
import { createHash } from 'node:crypto';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { newId } from '../../base/ids.ts';
import type { LimitMeans } from '../../contract/sandbox-limits.ts';
import { findProgram } from '../bubblewrap/programs.ts';
import type { Probe, RunningCommand, SandboxDriver } from '../driver.ts';
import { behindForwarder } from '../egress/inside.ts';
import { withDefaults } from '../limits.ts';
import { containerArguments, execArguments } from './container-arguments.ts';
import { containerFiles } from './container-files.ts';
import { type Docker, dockerProgram } from './docker-program.ts';

export interface DockerSettings {
  readonly name: 'docker' | 'gvisor';
  readonly runtime?: string;
  readonly image: string;
  readonly dataDirectory: string;
  /** For tests: the program that stands in for docker. */
  readonly program?: string;
}

/** The engine keeps them all but the time, which is the controller's. */
const LIMITS: LimitMeans = { memory: 'engine', processes: 'engine', disk: 'engine', cpu: 'engine', time: 'timer' };

export const LABEL = 'service-sandbox';
/** Everything of the run's user but the first process, which stays to hold the container. */
const END_ALL = ['sh', '-c', 'kill -9 -1; true'];
const CONTAINER_NODE = '/opt/service/node';

export function dockerDriver(settings: DockerSettings): SandboxDriver {
  const instance = createHash('sha256').update(settings.dataDirectory).digest('hex').slice(0, 12);
  const directory = join(tmpdir(), `service-sandbox-${settings.name}-${process.getuid?.() ?? 0}-${instance}`);
  let docker: Docker | undefined;
  const getDocker = (): Docker => {
    if (docker === undefined) throw new Error('the probe comes first');
    return docker;
  };

  const driver: SandboxDriver = {
    name: settings.name,
    async probe() {
      const program = settings.program ?? (await findProgram('docker'));
      if (program === undefined) return { ok: false, reason: 'docker is not installed', fix: 'install Docker, or use bubblewrap' };
      docker = dockerProgram(program);
      const { code, stdout, stderr } = await docker.run(['info', '--format', '{{json .Runtimes}}']);
      if (code !== 0) return { ok: false, reason: `docker does not answer (${firstLine(stderr)})`, fix: 'start the Docker daemon and let the controller use it' };
      if (settings.runtime !== undefined && !stdout.includes(`"${settings.runtime}"`)) return { ok: false, reason: `docker has no runtime ${settings.runtime}`, fix: 'install gVisor and register it: runsc install' };
      const left = await docker.run(['ps', '--all', '--quiet', '--filter', `label=${LABEL}=${instance}`]);
      for (const id of left.stdout.split('\n').filter(Boolean)) await docker.run(['rm', '--force', id]);
      await rm(directory, { recursive: true, force: true });
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await mkdir(join(settings.dataDirectory, 'tools'), { recursive: true });
      return tryOut(driver);
    },
    async egressDirectory(id) {
      const path = join(directory, id, 'egress');
      await mkdir(path, { recursive: true });
      await chmod(path, 0o711);
      return path;
    },
    async create(spec) {
      const container = `service-sandbox-${instance}-${spec.id}`;
      const engine = getDocker();
      const made = await engine.run(containerArguments({ container, label: `${LABEL}=${instance}`, spec, image: settings.image, runtime: settings.runtime, node: { from: process.execPath, to: CONTAINER_NODE }, tools: join(settings.dataDirectory, 'tools') }));
      if (made.code !== 0) throw new Error(`a container cannot be made: ${firstLine(made.stderr)}`);
      const running = new Set<RunningCommand>();
      const kill = async (): Promise<void> => {
        await engine.run(['exec', container, ...END_ALL]);
        await Promise.all([...running].map(({ exited }) => exited.catch(() => {})));
      };
      return {
        uid: 1000,
        files: containerFiles(engine, container),
        kill,
        async exec(command) {
          const argv = spec.egress === undefined ? command.argv : behindForwarder(CONTAINER_NODE, command.argv);
          const started = engine.start(execArguments(container, { ...command, argv, env: { ...spec.env, ...command.env } }), command.stdin, () => void kill());
          running.add(started);
          started.exited.finally(() => running.delete(started)).catch(() => {});
          return started;
        },
        async destroy() {
          await engine.run(['rm', '--force', '--volumes', container]);
          await rm(join(directory, spec.id), { recursive: true, force: true });
        },
        stats: async () => ({}),
      };
    },
    close: () => rm(directory, { recursive: true, force: true }),
  };
  return driver;
}

async function tryOut(driver: SandboxDriver): Promise<Probe> {
  const sandbox = await driver.create({ id: newId('probe'), limits: withDefaults({}), env: {} }).catch((error: Error) => error);
  if (sandbox instanceof Error) return { ok: false, reason: sandbox.message, fix: 'check that the engine can run SERVICE_SANDBOX_IMAGE' };
  try {
    const command = await sandbox.exec({ argv: ['sh', '-c', 'id -u; cat /proc/self/status'], env: {}, cwd: '/workspace' });
    const [stdout, , { code }] = await Promise.all([text(command.stdout), text(command.stderr), command.exited]);
    const holds = code === 0 && /^1000$/m.test(stdout) && /^CapEff:\s+0+$/m.test(stdout);
    return holds ? { ok: true, limits: LIMITS } : { ok: false, reason: 'the container does not hold what it should', fix: 'update the engine' };
  } finally {
    await sandbox.destroy();
  }
}

function firstLine(stderr: string): string {
  return (stderr.trim().split('\n')[0] ?? '').slice(0, 200);
}
