// What an engine reports about itself: the `info` of Docker and podman, read into the same few fields. They are told
// apart by the format of the output, not by the program's name, because podman may be installed as `docker`.
import { z } from 'zod';

export type EngineKind = 'docker' | 'podman';

export interface EngineInfo {
  readonly kind: EngineKind;
  readonly rootless: boolean;
  readonly cgroupVersion: 1 | 2;
  /** What it can limit. */
  readonly memory: boolean;
  readonly processes: boolean;
  readonly cpu: boolean;
  readonly runtimes: readonly string[];
}

const dockerInfo = z.object({
  /** Set if the client answers for a daemon that does not. */
  ServerErrors: z.array(z.string()).nullish(),
  Runtimes: z.record(z.string(), z.unknown()).nullish(),
  SecurityOptions: z.array(z.string()).nullish(),
  MemoryLimit: z.boolean().default(false),
  PidsLimit: z.boolean().default(false),
  CpuCfsQuota: z.boolean().default(false),
  CgroupVersion: z.string().default('1'),
});

const podmanInfo = z.object({
  host: z.object({
    cgroupControllers: z.array(z.string()).nullish(),
    cgroupVersion: z.string(),
    ociRuntime: z.object({ name: z.string() }),
    security: z.object({ rootless: z.boolean() }),
  }),
});

/** Throws with the engine's own message if it reports an error. */
export function readEngineInfo(text: string): EngineInfo {
  const answer: unknown = JSON.parse(text);
  const podman = podmanInfo.safeParse(answer);
  return podman.success ? readPodman(podman.data) : readDocker(dockerInfo.parse(answer));
}

function readDocker(info: z.infer<typeof dockerInfo>): EngineInfo {
  const [error] = info.ServerErrors ?? [];
  if (error !== undefined) throw new Error(error);
  return {
    kind: 'docker',
    rootless: (info.SecurityOptions ?? []).some((option) => option.split(',').includes('name=rootless')),
    cgroupVersion: info.CgroupVersion === '2' ? 2 : 1,
    memory: info.MemoryLimit,
    processes: info.PidsLimit,
    cpu: info.CpuCfsQuota,
    runtimes: Object.keys(info.Runtimes ?? {}),
  };
}

function readPodman({ host }: z.infer<typeof podmanInfo>): EngineInfo {
  const { rootless } = host.security;
  const cgroupVersion = host.cgroupVersion === 'v2' ? 2 : 1;
  // On cgroups v1 rootless podman ignores every limit, with a warning, whatever controllers it lists.
  const controllers = rootless && cgroupVersion === 1 ? [] : (host.cgroupControllers ?? []);
  return {
    kind: 'podman',
    rootless,
    cgroupVersion,
    memory: controllers.includes('memory'),
    processes: controllers.includes('pids'),
    cpu: controllers.includes('cpu'),
    runtimes: [host.ociRuntime.name],
  };
}

/** Why runs would have no limits, or undefined if they would. Processor time is not decisive. */
export function explainMissingLimits({
  kind,
  rootless,
  cgroupVersion,
  memory,
  processes,
}: EngineInfo): { reason: string; fix: string } | undefined {
  const missing = [...(memory ? [] : ['memory']), ...(processes ? [] : ['processes'])];
  if (missing.length === 0) return undefined;
  const what = `${rootless ? 'rootless ' : ''}${kind} cannot limit ${missing.join(' and ')} here`;
  if (!rootless)
    return {
      reason: what,
      fix: 'enable the cgroup controllers memory and pids of the kernel (cgroup_enable=memory on its command line)',
    };
  if (cgroupVersion === 1)
    return {
      reason: `${what}, because the machine uses cgroup v1`,
      fix: `boot with cgroup v2 (systemd.unified_cgroup_hierarchy=1), or use ${kind} as root`,
    };
  return {
    reason: `${what}, because the controllers are not delegated to this user`,
    fix: 'let systemd delegate them: Delegate=cpu memory pids under [Service] in /etc/systemd/system/user@.service.d/delegate.conf, then systemctl daemon-reload and log in again',
  };
}
