// What schedules and triggers have in common on the wire: the run that they start, and why they no longer do.
import { z } from 'zod';
import { id, timestamp } from '../common.ts';
import { delivery, runRequest } from '../jobs.ts';

/** A run of the service itself cannot be asked for. */
export const standingRequest = runRequest.extend({ kind: z.enum(['chat', 'codex']).optional() });
export type StandingRequest = z.infer<typeof standingRequest>;

export const standingName = z.string().trim().min(1).max(100);

const STANDING_PAUSES = ['authority_lost', 'refused'] as const;
export type StandingPause = (typeof STANDING_PAUSES)[number];

/** What it starts, as it is kept. */
export const plannedRun = z.object({
  objective: z.string(),
  kind: z.enum(['chat', 'codex']),
  workspace: id,
  fundingWorkspace: id.optional(),
  model: z.string().optional(),
  capabilities: z.array(z.string()),
  environment: z.string().optional(),
  deliver: delivery.optional(),
});
export type PlannedRunOnWire = z.infer<typeof plannedRun>;

export const standingRun = z.object({
  id,
  name: z.string(),
  run: plannedRun,
  enabled: z.boolean(),
  /** By the service itself. Turning it on again, with a credential that is valid, ends it. */
  paused: z.object({ reason: z.enum(STANDING_PAUSES), at: timestamp }).optional(),
  lastRun: id.optional(),
  createdBy: id,
  createdAt: timestamp,
});

/** How often in a row its run may be refused before it is paused. */
export const MOST_REFUSALS = 5;
