import { z } from 'zod';
import { needsScope } from './needs-scope.ts';
import { MEANS, type Means } from './sandbox-limits.ts';

const means = z.enum(Object.keys(MEANS) as [Means, ...Means[]]);

/** How a sandbox is built, and how each limit of a run is enforced. */
export const confinement = z.object({
  driver: z.string(),
  limits: z.object({ memory: means, processes: means, disk: means, cpu: means, time: means }),
});

const sandboxState = z.discriminatedUnion('ok', [
  confinement.extend({ ok: z.literal(true) }),
  /**
   * `reason` is `unreachable` (UNREACHABLE), or a sentence that says why no run can be executed; `fix` is what the
   * operator can do.
   */
  z.object({ ok: z.literal(false), reason: z.string(), fix: z.string() }),
]);

export const sandbox = {
  show: needsScope('jobs:read', 'database')
    .route({
      method: 'GET',
      path: '/sandbox',
      tags: ['Runs'],
      summary: 'Whether runs can be executed, and how their limits are enforced',
    })
    .output(sandboxState),
};
