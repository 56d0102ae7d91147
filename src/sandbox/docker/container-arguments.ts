import type { Command, SandboxSpec } from '../driver.ts';
import { EGRESS_ENVIRONMENT, EGRESS_MOUNT } from '../egress/inside.ts';
import { CLIENT_ENVIRONMENT } from './docker-program.ts';

export interface Container {
  readonly container: string;
  readonly label: string;
  readonly spec: SandboxSpec;
  readonly image: string;
  readonly runtime: string | undefined;
  /** Programs that every sandbox may use, seen as /opt/tools. */
  readonly tools: string;
  readonly node: { readonly from: string; readonly to: string };
}

/** Holds the container and reaps what commands leave behind. */
const HOLD = ['sh', '-c', 'while :; do sleep 3600 & wait; done'];
const USER = '1000:1000';

export function containerArguments({ container, label, spec, image, runtime, tools, node }: Container): string[] {
  const { limits, egress } = spec;
  const tmpfs = (path: string, mode: string, share: number): string[] => ['--tmpfs', `${path}:rw,exec,nosuid,nodev,size=${Math.floor(limits.diskBytes * share)},uid=1000,gid=1000,mode=${mode}`];
  return [
    'run', '--detach', '--name', container, '--label', label, '--hostname', 'sandbox', ...(runtime === undefined ? [] : ['--runtime', runtime]),
    '--network', 'none', '--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--user', USER, '--ipc', 'private', '--log-driver', 'none',
    '--pids-limit', String(limits.processes), '--memory', String(limits.memoryBytes), '--memory-swap', String(limits.memoryBytes), '--cpus', String(limits.cpus),
    '--ulimit', `nofile=${limits.openFiles}:${limits.openFiles}`, '--ulimit', 'core=0:0',
    // Together no more than the disk limit: most of it for the work, the rest for what is passing.
    ...tmpfs('/workspace', '0700', 0.75), ...tmpfs('/tmp', '1777', 0.125), ...tmpfs('/home/agent', '0700', 0.125),
    '--workdir', '/workspace', '--env', 'HOME=/home/agent', '--volume', `${tools}:/opt/tools:ro`,
    ...(egress === undefined ? [] : ['--volume', `${egress.directory}:${EGRESS_MOUNT}:ro`, '--volume', `${node.from}:${node.to}:ro`, ...Object.entries(EGRESS_ENVIRONMENT).flatMap(([name, value]) => ['--env', `${name}=${value}`])]),
    '--entrypoint', HOLD[0] ?? 'sh', image, ...HOLD.slice(1),
  ];
}

/**
 * Values of the environment travel in the environment of the client, so that no process list shows them. Only those
 * that the client needs for itself are written out.
 */
export function execArguments(container: string, command: Command): { args: string[]; env: Record<string, string> } {
  const environment = Object.entries(command.env).flatMap(([name, value]) => ['--env', name in CLIENT_ENVIRONMENT ? `${name}=${value}` : name]);
  return {
    args: ['exec', ...(command.stdin === undefined ? [] : ['--interactive']), '--workdir', command.cwd, ...environment, container, ...command.argv],
    env: { ...command.env },
  };
}
