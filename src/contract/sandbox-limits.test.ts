import { describe, expect, it } from 'vitest';
import { describeLimits, findWeakLimits, LIMITED, type LimitMeans, MEANS, type Means } from './sandbox-limits.ts';

const STRONG: LimitMeans = { memory: 'cgroup', processes: 'cgroup', disk: 'tmpfs', cpu: 'cgroup', time: 'timer' };

describe('limits of a sandbox', () => {
  it('are described once per means, in the order of the limits', () => {
    expect(describeLimits(STRONG)).toBe('memory, processes and cpu by cgroup, disk by a sized tmpfs, time by a timer');
    expect(describeLimits({ ...STRONG, memory: 'watchdog', processes: 'rlimit', cpu: 'priority' })).toBe(
      'memory by watchdog, processes by rlimit and watchdog, disk by a sized tmpfs, cpu by low priority only, time by a timer',
    );
  });

  it.each(Object.keys(MEANS) as Means[])('count as weak exactly when their means is: %s', (means) => {
    for (const name of LIMITED)
      expect(findWeakLimits({ ...STRONG, [name]: means })).toEqual(MEANS[means].strong || name === 'cpu' ? [] : [name]);
  });
});
