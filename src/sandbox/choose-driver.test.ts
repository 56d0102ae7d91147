import { describe, expect, it } from 'vitest';
import type { LimitMeans } from '../contract/sandbox-limits.ts';
import { chooseDriver } from './choose-driver.ts';
import type { DriverName, Probe, SandboxDriver } from './driver.ts';

function driver(name: DriverName, probe: () => Promise<Probe>): SandboxDriver & { closed: number } {
  const made = {
    name,
    probe,
    closed: 0,
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
const absent = (name: DriverName): ReturnType<typeof driver> =>
  driver(name, async () => ({ ok: false, reason: 'no engine is installed', fix: `install ${name}`, absent: true }));
const unsafe = (name: DriverName): ReturnType<typeof driver> =>
  driver(name, async () => ({ ok: false, reason: `${name} is away`, fix: `bring ${name}` }));

describe('the driver of a controller', () => {
  it('is the first that is safe', async () => {
    expect(await chooseDriver([unsafe('bubblewrap'), safe('gvisor'), safe('docker')], false)).toMatchObject({
      ok: true,
      driver: { name: 'gvisor' },
      limits: STRONG,
    });
  });

  it('is not one with a weak limit, unless that is accepted', async () => {
    const lacking = weak('bubblewrap');
    expect(await chooseDriver([lacking], false)).toMatchObject({
      ok: false,
      reason: 'the limits of bubblewrap are weak here (memory by watchdog)',
      fix: expect.stringContaining('SERVICE_SANDBOX_ALLOW_WEAK=1') as unknown,
    });
    expect(lacking.closed).toBe(1);
    expect(await chooseDriver([weak('bubblewrap')], true)).toMatchObject({ ok: true, limits: WEAK });
  });

  it('is none where none is safe: every reason is told, and the fix of the first', async () => {
    const broken = driver('docker', () => Promise.reject(new Error('boom')));
    expect(await chooseDriver([unsafe('bubblewrap'), broken], false)).toEqual({
      ok: false,
      reason: 'bubblewrap: bubblewrap is away; docker: the probe failed (boom)',
      fix: 'bring bubblewrap',
    });
  });

  it('does not speak of engines that are not installed where another one is', async () => {
    expect(await chooseDriver([unsafe('bubblewrap'), absent('gvisor'), absent('docker')], false)).toEqual({
      ok: false,
      reason: 'bubblewrap is away',
      fix: 'bring bubblewrap',
    });
    expect(await chooseDriver([absent('gvisor'), unsafe('docker')], false)).toEqual({
      ok: false,
      reason: 'docker is away',
      fix: 'bring docker',
    });
    expect(await chooseDriver([absent('docker')], false)).toEqual({
      ok: false,
      reason: 'no engine is installed',
      fix: 'install docker',
    });
  });

  it('tells a reason that two drivers share once', async () => {
    const silent = (name: DriverName): SandboxDriver =>
      driver(name, async () => ({ ok: false, reason: 'docker does not answer', fix: 'start it' }));
    expect(await chooseDriver([unsafe('bubblewrap'), silent('gvisor'), silent('docker')], false)).toMatchObject({
      reason: 'bubblewrap: bubblewrap is away; gvisor and docker: docker does not answer',
    });
    expect(await chooseDriver([silent('gvisor'), silent('docker')], false)).toMatchObject({
      reason: 'docker does not answer',
    });
  });
});
