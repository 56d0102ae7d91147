import type { Command, SandboxSpec } from '../driver.ts';
import { EGRESS_ENVIRONMENT, EGRESS_MOUNT } from '../egress/inside.ts';
import type { EngineInfo, EngineKind } from './engine-info.ts';

export interface Container {
  readonly container: string;
  readonly label: string;
  readonly spec: SandboxSpec;
  readonly image: string;
  readonly runtime: string | undefined;
  readonly info: EngineInfo;
  /** Programs that every sandbox may use, seen as /opt/tools. */
  readonly tools: string;
  readonly node: { readonly from: string; readonly to: string };
  /** Becomes /etc/hosts, if the engine would copy the machine's. */
  readonly hosts: string;
  /** The highest number of processes that one user can have anyway. */
  readonly nproc: number;
}

/**
 * Keeps the container alive and reaps orphaned processes. The kernel reaps them for a process that ignores SIGCHLD,
 * and such a process never has to fork, which would fail in a container full of processes. Older env cannot do this.
 */
const HOLD = [
  'sh',
  '-c',
  'env --ignore-signal=CHLD true 2>/dev/null && exec env --ignore-signal=CHLD sleep 2147483647; while :; do sleep 3600 & wait; done',
];
const USER = '1000:1000';
/** Together no more than the disk limit: most of it for the workspace, the rest for temporary files. */
const SHARES = { '/workspace': ['0700', 0.75], '/tmp': ['1777', 0.125], '/home/agent': ['0700', 0.0625] } as const;
const SHM_SHARE = 0.0625;

interface Dialect {
  /** Makes a tmpfs belong to the run, and hides what the image has there. */
  readonly tmpfs: string;
  readonly shm: (bytes: number) => string[];
  /** What the other engine does on its own. */
  readonly more: (container: Container) => string[];
}

const DIALECTS: Record<EngineKind, Dialect> = {
  docker: { tmpfs: 'uid=1000,gid=1000', shm: (bytes) => ['--shm-size', String(bytes)], more: () => [] },
  podman: {
    tmpfs: 'notmpcopyup,U',
    // In newer versions --read-only-tmpfs=false disables this one too, so it is mounted here.
    shm: (bytes) => ['--tmpfs', `/dev/shm:rw,noexec,nosuid,nodev,notmpcopyup,size=${bytes},mode=1777`],
    more: ({ hosts, nproc }) => [
      // Otherwise its read-only containers get an unlimited writable /run and /var/tmp; its configuration may share
      // namespaces, and on some systems it shows every container the machine's subscription in /run/secrets.
      '--read-only-tmpfs=false',
      '--pid',
      'private',
      '--uts',
      'private',
      '--tmpfs',
      '/run/secrets:ro,noexec,nosuid,nodev,notmpcopyup,size=4096',
      '--no-hosts',
      ...bind(hosts, '/etc/hosts'),
      // Otherwise it raises this one to the kernel's maximum, which not every root may do.
      '--ulimit',
      `nproc=${nproc}:${nproc}`,
    ],
  },
};

export function containerArguments(made: Container): string[] {
  const { container, label, spec, image, runtime, info, tools, node } = made;
  const { limits, egress } = spec;
  const dialect = DIALECTS[info.kind];
  const share = (part: number): number => Math.floor(limits.diskBytes * part);
  return [
    'run',
    '--detach',
    '--pull',
    'never',
    '--name',
    container,
    '--label',
    label,
    '--hostname',
    'sandbox',
    ...(runtime === undefined ? [] : ['--runtime', runtime]),
    '--network',
    'none',
    '--read-only',
    '--cap-drop',
    'ALL',
    '--security-opt',
    'no-new-privileges',
    '--user',
    USER,
    '--ipc',
    'private',
    '--log-driver',
    'none',
    // The first process ignores SIGTERM, and podman would wait for it.
    '--stop-signal',
    'KILL',
    '--pids-limit',
    String(limits.processes),
    '--memory',
    String(limits.memoryBytes),
    '--memory-swap',
    String(limits.memoryBytes),
    ...(info.cpu ? ['--cpus', String(limits.cpus)] : []),
    '--ulimit',
    `nofile=${limits.openFiles}:${limits.openFiles}`,
    '--ulimit',
    'core=0:0',
    ...Object.entries(SHARES).flatMap(([path, [mode, part]]) => [
      '--tmpfs',
      `${path}:rw,exec,nosuid,nodev,${dialect.tmpfs},size=${share(part)},mode=${mode}`,
    ]),
    ...dialect.shm(share(SHM_SHARE)),
    ...dialect.more(made),
    '--workdir',
    '/workspace',
    '--env',
    'HOME=/home/agent',
    ...bind(tools, '/opt/tools'),
    ...(egress === undefined
      ? []
      : [
          ...bind(egress.directory, EGRESS_MOUNT),
          ...bind(node.from, node.to),
          ...Object.entries(EGRESS_ENVIRONMENT).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
        ]),
    '--entrypoint',
    HOLD[0] ?? 'sh',
    image,
    ...HOLD.slice(1),
  ];
}

/** Not --volume: the engine would create a directory if the source is missing. */
function bind(from: string, to: string): string[] {
  return ['--mount', `type=bind,source=${from},target=${to},readonly`];
}

/**
 * Values of the environment are passed in the environment of the client, so that no process list shows them, under
 * aliases that mean nothing to the client. A shell inside renames them.
 */
export function execArguments(
  container: string,
  { argv, env, cwd, stdin }: Command,
): { args: string[]; env: Record<string, string> } {
  const carried = Object.entries(env).map(([name, value], index) => ({
    name,
    value,
    alias: `_SERVICE_VARIABLE_${index}`,
  }));
  const dress = `export ${carried.map(({ name, alias }) => `${name}="$${alias}"`).join(' ')}; unset ${carried.map(({ alias }) => alias).join(' ')}; exec "$@"`;
  return {
    args: [
      'exec',
      ...(stdin === undefined ? [] : ['--interactive']),
      '--workdir',
      cwd,
      ...carried.flatMap(({ alias }) => ['--env', alias]),
      container,
      ...(carried.length === 0 ? [] : ['sh', '-c', dress, 'environment']),
      ...argv,
    ],
    env: Object.fromEntries(carried.map(({ alias, value }) => [alias, value])),
  };
}
