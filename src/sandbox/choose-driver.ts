// The first driver that is safe on this machine, or why none is. A driver with a weak limit is refused unless the
// operator accepts weak limits.
import { findWeakLimits, type LimitMeans, MEANS } from '../contract/sandbox-limits.ts';
import type { DriverName, SandboxDriver } from './driver.ts';

const ACCEPT_WEAK = 'or accept weak limits for development with SERVICE_SANDBOX_ALLOW_WEAK=1';

/** A controller that is root already needs the kernel's help, not root. */
function weakFix(isRoot: boolean): string {
  return isRoot
    ? `boot with cgroup v2 and let the controller write to a group with the controllers cpu, memory and pids (in a container: a delegated one, with SERVICE_SANDBOX_CGROUP=self), ${ACCEPT_WEAK}`
    : `run the controller as root or in a cgroup that is delegated to it (SERVICE_SANDBOX_CGROUP=self systemd-run --user --scope -p Delegate=yes npm run sandbox), ${ACCEPT_WEAK}`;
}

export type Chosen =
  | { readonly ok: true; readonly driver: SandboxDriver; readonly limits: LimitMeans }
  | { readonly ok: false; readonly reason: string; readonly fix: string };

interface Refusal {
  readonly name: DriverName;
  readonly reason: string;
  readonly fix: string;
  readonly absent?: boolean;
}

export async function chooseDriver(candidates: readonly SandboxDriver[], allowWeak: boolean): Promise<Chosen> {
  const refusals: Refusal[] = [];
  for (const driver of candidates) {
    const probe = await driver.probe().catch((error: Error) => ({
      ok: false as const,
      reason: `the probe failed (${error.message.slice(0, 200)})`,
      fix: 'see docs/operators/sandbox.md',
    }));
    if (!probe.ok) {
      refusals.push({ ...probe, name: driver.name });
      continue;
    }
    const { limits, why } = probe;
    const weak = findWeakLimits(limits);
    if (weak.length === 0 || allowWeak) return { ok: true, driver, limits };
    await driver.close();
    refusals.push({
      name: driver.name,
      reason: `the limits of ${driver.name} are weak here (${weak.map((name) => `${name} by ${MEANS[limits[name]].name}`).join(', ')})${why === undefined ? '' : `: ${why}`}`,
      fix: weakFix(process.getuid?.() === 0),
    });
  }
  return explain(refusals);
}

/** A missing engine is reported only if there is nothing else to report. */
function explain(refusals: readonly Refusal[]): Chosen {
  const present = refusals.filter(({ absent }) => absent !== true);
  const told = present.length > 0 ? present : refusals;
  const [first] = told;
  if (first === undefined) return { ok: false, reason: 'no driver is configured', fix: 'set SERVICE_SANDBOX_DRIVER' };
  // Two drivers of the same engine are often refused for the same reason.
  const reasons = [...Map.groupBy(told, ({ reason }) => reason)];
  const reason =
    reasons.length === 1
      ? first.reason
      : reasons.map(([text, group]) => `${group.map(({ name }) => name).join(' and ')}: ${text}`).join('; ');
  return { ok: false, reason, fix: first.fix };
}
