import { z } from 'zod';

/** The body of `POST /connect/call`. */
export const callRequest = z.strictObject({
  connection: z.string().min(1).max(300),
  tool: z.string().min(1).max(200),
  // Validated against the tool's own schema, once the caller is known to be allowed to call it.
  arguments: z.unknown().optional(),
  workspace: z.string().min(1).max(200).optional(),
});

/** Its response. `status` is the provider's; `ok` says whether it is 2xx. */
export const callAnswer = z.object({
  ok: z.boolean(),
  status: z.number().int(),
  error: z.string().optional(),
  headers: z.record(z.string(), z.string()),
  data: z.unknown(),
  receipt: z.object({ stream: z.string(), index: z.number().int(), hash: z.string() }).nullable(),
});
