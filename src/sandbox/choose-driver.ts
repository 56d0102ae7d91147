// The first driver that is safe on this machine, or why none is. A driver that lacks a limit counts as unsafe unless
// the operator has said that weak is enough.
import type { DriverName, SandboxDriver } from './driver.ts';

export type Chosen = { readonly ok: true; readonly driver: SandboxDriver; readonly missing: readonly string[] } | { readonly ok: false; readonly reason: string; readonly fix: string };

export async function chooseDriver(candidates: readonly SandboxDriver[], allowWeak: boolean): Promise<Chosen> {
  const refusals: { name: DriverName; reason: string; fix: string }[] = [];
  for (const driver of candidates) {
    const probe = await driver.probe().catch((error: Error) => ({ ok: false as const, reason: `the probe failed (${error.message.slice(0, 200)})`, fix: 'see docs/operators/sandbox.md' }));
    if (!probe.ok) {
      refusals.push({ name: driver.name, reason: probe.reason, fix: probe.fix });
      continue;
    }
    if (probe.missing.length === 0 || allowWeak) return { ok: true, driver, missing: probe.missing };
    await driver.close();
    refusals.push({ name: driver.name, reason: `it cannot enforce ${probe.missing.join(', ')}`, fix: 'run the controller as root, or set SERVICE_SANDBOX_ALLOW_WEAK=1 for development' });
  }
  const [first] = refusals;
  if (first === undefined) return { ok: false, reason: 'no driver is configured', fix: 'set SERVICE_SANDBOX_DRIVER' };
  return { ok: false, reason: refusals.map(({ name, reason }) => `${name}: ${reason}`).join('; '), fix: first.fix };
}
