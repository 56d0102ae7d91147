// deploy/compose.yaml as the engine's own commands. Each key of the file is a row below, and one that has no row is
// refused: nothing that the file says is left out in silence.
import { join } from 'node:path';
import {
  type ComposeService,
  composeServices,
  DEPLOY,
  interpolate,
  readComposeFile,
  type Variables,
} from '../../scripts/read-deploy-files.ts';
import { poll } from '../support/poll.ts';
import { podman, type Ran, run } from './engine.ts';

const PROJECT = 'agent-platform';
const PATIENCE_MS = 180_000;
const LOOK_AGAIN_MS = 500;

type Service = Readonly<Record<string, unknown>>;
type Row = (value: never, name: string) => string[];
const none = (): string[] => [];
const each =
  (option: string) =>
  (values: readonly string[]): string[] =>
    values.flatMap((value) => [option, value]);
const flag =
  (option: string) =>
  (on: boolean): string[] =>
    on ? [option] : [];

const ROWS: Readonly<Record<string, Row>> = {
  image: none,
  build: none,
  command: none,
  environment: none,
  depends_on: none,
  // The engine would need systemd to ask by itself: the set asks, with the same command.
  healthcheck: none,
  init: flag('--init'),
  privileged: flag('--privileged'),
  // podman would add writable directories that Docker does not.
  read_only: (on: boolean) => (on ? ['--read-only', '--read-only-tmpfs=false'] : []),
  // Docker's do not execute programs unless that is said.
  tmpfs: (mounts: readonly string[]) =>
    mounts.flatMap((mount) => ['--tmpfs', /\bexec\b/.test(mount) ? mount : `${mount},noexec,nosuid,nodev`]),
  cap_drop: each('--cap-drop'),
  security_opt: each('--security-opt'),
  ports: each('--publish'),
  restart: (policy: string) => ['--restart', policy],
  stop_grace_period: (period: string) => ['--stop-timeout', String(Number.parseInt(period, 10))],
  shm_size: (size: string) => ['--shm-size', size],
  cgroup: (kind: string) => ['--cgroupns', kind],
  logging: ({ driver, options }: { driver: string; options: Variables }) => [
    '--log-driver',
    driver,
    '--log-opt',
    `max-size=${options['max-size']}`,
  ],
  deploy: ({ resources: { limits } }: { resources: { limits: { cpus: string; memory: string } } }) => [
    '--cpus',
    limits.cpus,
    '--memory',
    limits.memory,
  ],
  networks: (names: readonly string[], service: string) => [
    '--network',
    names.map(scoped).join(','),
    '--network-alias',
    service,
  ],
  // Paths are relative to the file.
  volumes: (volumes: readonly string[]) =>
    volumes.flatMap((volume) => ['--volume', volume.startsWith('/') ? volume : scoped(volume)]),
};

function scoped(name: string): string {
  return `${PROJECT}_${name}`;
}

export interface ComposeSet {
  readonly names: readonly string[];
  /** Makes what is not there, in the order that the file asks for; `images` replaces versions of ours. */
  up(images?: (image: string) => string): Promise<void>;
  /** Takes containers away, as a new version of them does; volumes and networks stay. */
  removeContainers(names: readonly string[]): void;
  exec(name: string, argv: readonly string[]): Ran;
  logOf(name: string): string;
  untilHealthy(name: string): Promise<void>;
  down(): void;
}

export function openComposeSet(given: Variables, without: readonly string[], directory = DEPLOY): ComposeSet {
  const services = Object.entries(composeServices(directory))
    .filter(([name]) => !without.includes(name))
    .map(([name, service]) => [name, withPaths(service, directory)] as [string, Service]);
  const { networks = {}, volumes = {} } = readComposeFile(directory);
  const exec: ComposeSet['exec'] = (name, argv) => run('podman', ['exec', scoped(name), ...argv]);
  const logOf = (name: string): string => {
    const { stdout, stderr } = run('podman', ['logs', scoped(name)]);
    return stdout + stderr;
  };
  const untilHealthy = async (name: string): Promise<void> => {
    const [, ...test] = composeServices(directory)[name]?.healthcheck?.test ?? [];
    if (test.length === 0) throw new Error(`deploy/compose.yaml has no health check for ${name}`);
    const deadline = Date.now() + PATIENCE_MS;
    await poll(() => {
      const { status, stderr } = exec(name, test);
      if (status !== 0 && Date.now() > deadline)
        throw new Error(`${name} does not become healthy: ${stderr}\n${logOf(name).slice(-2_000)}`);
      return status === 0;
    }, LOOK_AGAIN_MS);
  };

  return {
    names: services.map(([name]) => name),
    exec,
    logOf,
    untilHealthy,
    async up(images = (image) => image) {
      for (const [name, settings] of Object.entries<{ internal?: boolean } | null>(networks))
        if (run('podman', ['network', 'exists', scoped(name)]).status !== 0)
          podman('network', 'create', ...(settings?.internal === true ? ['--internal'] : []), scoped(name));
      for (const name of Object.keys(volumes))
        if (run('podman', ['volume', 'exists', scoped(name)]).status !== 0) podman('volume', 'create', scoped(name));
      for (const [name, service] of inOrder(services)) {
        for (const [needed, { condition }] of dependencies(service))
          if (condition === 'service_healthy') await untilHealthy(needed);
        podman(...runArguments(name, service, given, images));
      }
      for (const [name, service] of services) if ('healthcheck' in service) await untilHealthy(name);
    },
    removeContainers(names) {
      for (const name of names) podman('rm', '--force', scoped(name));
    },
    down() {
      run('podman', ['rm', '--force', '--all', '--time', '5']);
      run('podman', ['network', 'prune', '--force']);
      run('podman', ['volume', 'rm', '--all', '--force']);
    },
  };
}

function withPaths(service: ComposeService, directory: string): object {
  const volumes = service.volumes?.map((volume) => (volume.startsWith('./') ? join(directory, volume) : volume));
  return volumes === undefined ? service : { ...service, volumes };
}

function runArguments(name: string, service: Service, given: Variables, images: (image: string) => string): string[] {
  const options = Object.entries(service).flatMap(([key, value]) => {
    const row = ROWS[key];
    if (row === undefined)
      throw new Error(`deploy/compose.yaml: ${name} has ${key}, and the test does not know what that means`);
    return row(value as never, name);
  });
  const environment = Object.entries((service['environment'] ?? {}) as Variables).flatMap(([variable, value]) => [
    '--env',
    `${variable}=${interpolate(String(value), given)}`,
  ]);
  return [
    'run',
    '--detach',
    '--pull',
    'never',
    '--replace',
    '--name',
    scoped(name),
    ...options,
    ...environment,
    images(service['image'] as string),
    ...((service['command'] ?? []) as string[]),
  ];
}

function dependencies(service: Service): [string, { condition: string }][] {
  return Object.entries((service['depends_on'] ?? {}) as Record<string, { condition: string }>);
}

/** Each after what it depends on. */
function inOrder(services: readonly [string, Service][]): [string, Service][] {
  const left = [...services];
  const ordered: [string, Service][] = [];
  while (left.length > 0) {
    const next = left.findIndex(([, service]) =>
      dependencies(service).every(([needed]) => !left.some(([name]) => name === needed)),
    );
    if (next === -1) throw new Error('deploy/compose.yaml: services depend on each other in a circle');
    ordered.push(...left.splice(next, 1));
  }
  return ordered;
}
