import { describe, expect, it } from 'vitest';
import type { LimitMeans } from '../contract/sandbox-limits.ts';
import { chooseDriver } from './choose-driver.ts';
import type { DriverName, Probe, SandboxDriver } from './driver.ts';

function driver(name: DriverName, probe: () => Promise<Probe>): SandboxDriver & { closed: number } {
  const made = {
    name, probe, closed: 0,
    egressDirectory: () => Promise.reject(new Error('unused')),
    create: () => Promise.reject(new Error('unused')),
    close: async () => void made.closed++,
  };
  return made;
}

const STRONG: LimitMeans = { memory: 'cgroup', processes: 'cgroup', disk: 'tmpfs', cpu: 'cgroup', time: 'timer' };
const WEAK: LimitMeans = { ...STRONG, memory: 'watchdog' };

const safe = (name: DriverName): ReturnType<typeof driver> => driver(name, async () => ({ ok: true, limits: STRONG }));
const weak = (name: DriverName): ReturnType<typeof driver> => driver(name, async () => ({ ok: true, limits: WEAK }));
const unsafe = (name: DriverName): ReturnType<typeof driver> => driver(name, async () => ({ ok: false, reason: `${name} is away`, fix: `bring ${name}` }));

describe('the driver of a controller', () => {
  it('is the first that is safe', async () => {
    expect(await chooseDriver([unsafe('bubblewrap'), safe('gvisor'), safe('docker')], false)).toMatchObject({ ok: true, driver: { name: 'gvisor' }, limits: STRONG });
  });

  it('is not one with a weak limit, unless that is accepted', async () => {
    const lacking = weak('bubblewrap');
    expect(await chooseDriver([lacking], false)).toMatchObject({ ok: false, reason: 'bubblewrap: its limits are weak here (memory by watchdog)', fix: expect.stringContaining('SERVICE_SANDBOX_ALLOW_WEAK=1') as unknown });
    expect(lacking.closed).toBe(1);
    expect(await chooseDriver([weak('bubblewrap')], true)).toMatchObject({ ok: true, limits: WEAK });
  });

  it('is none where none is safe: every reason is told, and the fix of the first', async () => {
    const broken = driver('docker', () => Promise.reject(new Error('boom')));
    expect(await chooseDriver([unsafe('bubblewrap'), broken], false)).toEqual({ ok: false, reason: 'bubblewrap: bubblewrap is away; docker: the probe failed (boom)', fix: 'bring bubblewrap' });
  });
});
