// Runs that start at planned times.
import { z } from 'zod';
import { done, id, nextCursor, page, timestamp } from '../common.ts';
import { job } from '../jobs.ts';
import { needsScope } from '../needs-scope.ts';
import { standingName, standingRequest, standingRun } from './standing-runs.ts';

const OVERLAPS = ['skip', 'queue', 'abort'] as const;
export type Overlap = (typeof OVERLAPS)[number];
const CATCH_UPS = ['one', 'none'] as const;
export type CatchUp = (typeof CATCH_UPS)[number];
const OUTCOMES = ['started', 'skipped', 'refused'] as const;
export type FiringOutcome = (typeof OUTCOMES)[number];

const overlap = z.enum(OVERLAPS);
const catchUp = z.enum(CATCH_UPS);

/** One of the three; what it must be is checked by the server, which names the fault. */
const times = {
  /** Five fields, in the zone `timezone`. */
  cron: z.string().trim().min(1).max(200).optional(),
  /** The name of an IANA zone. */
  timezone: z.string().min(1).max(100).optional(),
  /** Seconds. */
  every: z.number().int().min(1).max(31_622_400).optional(),
  /** RFC 3339. */
  at: z.iso.datetime({ offset: true }).optional(),
};

const schedule = standingRun.extend({
  cron: z.string().optional(),
  timezone: z.string().optional(),
  every: z.number().int().optional(),
  at: timestamp.optional(),
  /** What becomes of a time at which the last run has not ended. */
  overlap,
  /** What becomes of the times that were missed while the service was stopped. */
  catchUp,
  /** Absent while it is off or paused, and when no time is left. */
  nextAt: timestamp.optional(),
});
export type ScheduleOnWire = z.infer<typeof schedule>;

const firing = z.object({
  plannedAt: timestamp,
  at: timestamp,
  outcome: z.enum(OUTCOMES),
  job: id.optional(),
  /** Why no run was started. */
  code: z.string().optional(),
});
export type Firing = z.infer<typeof firing>;

const addressed = z.strictObject({ id });
const tags = ['Schedules'];
const [reading, writing] = [needsScope('jobs:read', 'database'), needsScope('jobs:write', 'database')];

export const schedules = {
  create: writing
    .route({
      method: 'POST',
      path: '/schedules',
      successStatus: 201,
      tags,
      summary: 'Start a run at planned times',
      description:
        'With one of `cron` and `timezone`, `every`, `at`. Its runs are started for the caller, with the scopes of the token that makes it. 429 `too_many_schedules` beyond `SERVICE_SCHEDULES_PER_PERSON`.',
    })
    .input(
      z.strictObject({
        name: standingName,
        run: standingRequest,
        ...times,
        overlap: overlap.default('skip'),
        catchUp: catchUp.default('one'),
        enabled: z.boolean().default(true),
      }),
    )
    .output(z.object({ schedule })),
  list: reading
    .route({
      method: 'GET',
      path: '/schedules',
      tags,
      summary: 'Schedules, newest first',
      description: "The caller's own; for owners and admins of the workspace or the organization, all.",
    })
    .input(z.strictObject({ workspace: id.optional(), ...page }))
    .output(z.object({ schedules: z.array(schedule), ...nextCursor })),
  times: reading
    .route({
      method: 'GET',
      path: '/schedules/times',
      tags,
      summary: 'The next five times of a schedule that is not saved yet',
    })
    .input(z.strictObject({ ...times, every: z.coerce.number().pipe(times.every.unwrap()).optional() }))
    .output(z.object({ times: z.array(timestamp) })),
  get: reading
    .route({ method: 'GET', path: '/schedules/{id}', tags, summary: 'A schedule' })
    .input(addressed)
    .output(z.object({ schedule })),
  update: writing
    .route({
      method: 'PATCH',
      path: '/schedules/{id}',
      tags,
      summary: 'Change, pause or resume a schedule',
      description:
        'Omitted fields stay as they are; `run` is replaced as a whole, and so are the times. Owners and admins may send `enabled: false`, everything else is for the person who made it. Its runs have the scopes of the token of the last change from then on. `enabled: true` ends a pause.',
    })
    .input(
      z.strictObject({
        id,
        name: standingName.optional(),
        run: standingRequest.optional(),
        ...times,
        overlap: overlap.optional(),
        catchUp: catchUp.optional(),
        enabled: z.boolean().optional(),
      }),
    )
    .output(z.object({ schedule })),
  remove: writing
    .route({
      method: 'DELETE',
      path: '/schedules/{id}',
      tags,
      summary: 'Delete a schedule with its history',
      description: 'Runs that it has started stay.',
    })
    .input(addressed)
    .output(done),
  run: writing
    .route({
      method: 'POST',
      path: '/schedules/{id}/run',
      successStatus: 202,
      tags,
      summary: 'Start the run of a schedule now, once',
      description: 'For the person who made it. Its times stay as they are.',
    })
    .input(addressed)
    .output(z.object({ job })),
  firings: reading
    .route({
      method: 'GET',
      path: '/schedules/{id}/firings',
      tags,
      summary: 'What became of the planned times, the newest first',
      description:
        'Kept for 30 days. `skipped` with the code `missed` stands for times that passed while it was stopped.',
    })
    .input(z.strictObject({ id, ...page }))
    .output(z.object({ firings: z.array(firing), ...nextCursor })),
};
