// Makes and removes sandboxes many times over and compares what the machine and the controller hold before and after.
import { readdirSync } from 'node:fs';
import { expect } from 'vitest';
import { leftovers } from './sandbox-leftovers.ts';
import { runIn, startController } from './sandbox.ts';

const AT_ONCE = 4;

export async function cycleSandboxes(count: number): Promise<void> {
  const controller = await startController();
  const descriptors = (): number => readdirSync(`/proc/${controller.child.pid}/fd`).length;
  let made = 0;
  const cycle = async (): Promise<void> => {
    const turn = made++;
    const { id } = await controller.client.create(turn % 10 === 0 ? { network: { allow: ['example.org:443'] } } : {});
    // Some run, some are removed while they run, some are never used.
    if (turn % 4 === 0) await runIn(controller.client, id, { argv: ['true'] });
    const abandoned = turn % 4 === 1 ? runIn(controller.client, id, { argv: ['sleep', '600'] }).catch(() => {}) : undefined;
    await controller.client.destroy(id);
    await abandoned;
  };
  try {
    for (let i = 0; i < AT_ONCE * 2; i++) await cycle();
    const before = { descriptors: descriptors(), leftovers: leftovers(controller.directory) };
    await Promise.all(Array.from({ length: AT_ONCE }, async () => {
      while (made < count) await cycle();
    }));
    expect(await controller.client.health()).toMatchObject({ ok: true, sandboxes: 0 });
    expect(leftovers(controller.directory)).toEqual(before.leftovers);
    // Connections of this very test may still be closing.
    await expect.poll(descriptors, { timeout: 20_000 }).toBeLessThanOrEqual(before.descriptors + 4);
    expect((await controller.stop()).code).toBe(0);
    expect(leftovers(controller.directory)).toEqual([]);
  } finally {
    await controller.remove();
  }
}
