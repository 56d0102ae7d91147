// What became of a run's commits, as it stands in its result.
import { z } from 'zod';

const delivery = z.object({
  branch: z.string().optional(),
  commit: z.string().optional(),
  /** Of the pull request. */
  url: z.url({ protocol: /^https?$/ }).optional(),
  /** Why nothing was pushed or, where there is a branch, why there is no pull request. */
  problem: z.string().optional(),
});
export type RunDelivery = z.infer<typeof delivery>;

/** Undefined for a run that was not to deliver anything. */
export function readDelivery(result: unknown): RunDelivery | undefined {
  return z.object({ delivery }).safeParse(result).data?.delivery;
}
