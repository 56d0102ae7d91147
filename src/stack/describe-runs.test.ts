import { expect, it } from 'vitest';
import { describeRuns } from './describe-runs.ts';

it('says nothing of strong limits, names weak ones, and says how to have runs where there are none', () => {
  const strong = { memory: 'cgroup', processes: 'cgroup', disk: 'tmpfs', cpu: 'cgroup', time: 'timer' } as const;
  expect(describeRuns({ ok: true, driver: 'bubblewrap', limits: strong, sandboxes: 0 })).toBeUndefined();
  expect(
    describeRuns({ ok: true, driver: 'bubblewrap', limits: { ...strong, memory: 'watchdog' }, sandboxes: 0 }),
  ).toMatch(
    /^isolated by bubblewrap; their limits are weak here \(memory by watchdog, .*\), fine for development: docs\/operators\/sandbox\.md$/,
  );
  expect(describeRuns({ ok: false, reason: 'bubblewrap is not installed', fix: 'apt-get install bubblewrap' })).toBe(
    'off, bubblewrap is not installed. To fix it: apt-get install bubblewrap.',
  );
});
