// How a run is confined, in the words that the command line and the web app share.
import { joinWords } from './join-words.ts';
import { type Confinement, describeLimits, findWeakLimits, type LimitMeans } from './sandbox-limits.ts';

/** The reason while the sandbox controller does not answer; runs that are started then wait until it does. */
export const UNREACHABLE = 'unreachable';

/** For example "bubblewrap; memory, processes and cpu by cgroup, disk by a sized tmpfs, time by a timer". */
export function describeConfinement({ driver, limits }: Confinement): string {
  return `${driver}; ${describeLimits(limits)}`;
}

/** What a weak limit means for a run; undefined if every decisive limit is strong. */
export function describeWeakness(limits: LimitMeans): string | undefined {
  const weak = findWeakLimits(limits);
  if (weak.length === 0) return undefined;
  return `Weak ${weak.length === 1 ? 'limit' : 'limits'} on ${joinWords(weak)}: a run that goes over is stopped only once that is noticed. Isolation is not affected.`;
}
