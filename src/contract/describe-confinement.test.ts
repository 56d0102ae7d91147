import { expect, it } from 'vitest';
import { describeConfinement, describeWeakness } from './describe-confinement.ts';
import type { LimitMeans } from './sandbox-limits.ts';

const STRONG: LimitMeans = { memory: 'cgroup', processes: 'cgroup', disk: 'tmpfs', cpu: 'cgroup', time: 'timer' };
const WEAK: LimitMeans = { memory: 'rlimit', processes: 'rlimit', disk: 'watchdog', cpu: 'priority', time: 'timer' };

it('names the driver and the means of each limit', () => {
  expect(describeConfinement({ driver: 'bubblewrap', limits: STRONG })).toBe(
    'bubblewrap; memory, processes and cpu by cgroup, disk by a sized tmpfs, time by a timer',
  );
});

it('explains weak limits, and returns nothing if there are none', () => {
  expect(describeWeakness(STRONG)).toBeUndefined();
  expect(describeWeakness({ ...STRONG, cpu: 'priority' })).toBeUndefined();
  expect(describeWeakness(WEAK)).toBe(
    'Weak limits on memory, processes and disk: a run that goes over is stopped only once that is noticed. Isolation is not affected.',
  );
  expect(describeWeakness({ ...STRONG, disk: 'watchdog' })).toMatch(/^Weak limit on disk: /);
});
