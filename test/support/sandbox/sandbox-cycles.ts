// Makes and removes sandboxes many times over and tells what the machine and the controller hold more than before.
import { readdirSync } from 'node:fs';
import { vi } from 'vitest';
import { forEachAtMost } from '../../../src/timing/for-each-at-most.ts';
import { leftovers } from './sandbox-leftovers.ts';
import { runIn, startController, type Way } from './sandbox.ts';

const AT_ONCE = 4;
const WARM_UP = 8;

export interface Remains {
  readonly sandboxes: number;
  readonly whileServing: readonly string[];
  readonly descriptors: number;
  readonly afterStop: readonly string[];
}

export const NOTHING: Remains = { sandboxes: 0, whileServing: [], descriptors: 0, afterStop: [] };

export async function cycleSandboxes(count: number, way: Way): Promise<Remains> {
  const controller = await startController(way.options);
  const descriptors = (): number => readdirSync(`/proc/${controller.child.pid}/fd`).length;
  const cycle = async (turn: number): Promise<void> => {
    const { id } = await controller.client.create(turn % 10 === 0 ? { network: { allow: ['example.org:443'] } } : {});
    // Some run, some are removed while they run, some are never used.
    if (turn % 4 === 0) await runIn(controller.client, id, { argv: ['true'] });
    const cut = turn % 4 === 1 ? runIn(controller.client, id, { argv: ['sleep', '600'] }).catch(() => {}) : undefined;
    await controller.client.destroy(id);
    await cut;
  };
  const turns = Array.from({ length: count }, (_, turn) => turn);
  try {
    await forEachAtMost(AT_ONCE, turns.slice(0, WARM_UP), cycle);
    const before = { descriptors: descriptors(), found: leftovers(controller, way) };
    await forEachAtMost(AT_ONCE, turns.slice(WARM_UP), cycle);
    // Connections of the test itself may still be closing.
    await vi.waitUntil(() => descriptors() <= before.descriptors + AT_ONCE, { timeout: 20_000 }).catch(() => {});
    const health = await controller.client.health();
    const whileServing = leftovers(controller, way).filter((line) => !before.found.includes(line));
    const grown = Math.max(0, descriptors() - before.descriptors - AT_ONCE);
    await controller.stop();
    return {
      sandboxes: health.ok ? health.sandboxes : -1,
      whileServing,
      descriptors: grown,
      afterStop: leftovers(controller, way),
    };
  } finally {
    await controller.remove();
  }
}
