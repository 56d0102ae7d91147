// Triggers on the wire: what starts a run when something is delivered to its address.
import { z } from 'zod';
import { done, id, nextCursor, page, timestamp } from '../common.ts';
import { jobStatus } from '../jobs.ts';
import { needsScope } from '../needs-scope.ts';
import { DELIVERY_OUTCOMES, TRIGGER_LIMITS, TRIGGER_SOURCE_NAMES } from './trigger-rules.ts';
import { standingName, standingRequest, standingRun } from './standing-runs.ts';

/** Names between dots; `@event` and `@delivery` are what the sender's headers say. */
const PATH_PATTERN = /^(?:@event|@delivery|[^\s{}.@][^\s{}.]*(?:\.[^\s{}.]+)*)$/;
const path = z.string().min(1).max(200).regex(PATH_PATTERN, 'names between dots, such as issue.title');
const value = z.union([z.string().max(1_000), z.number(), z.boolean(), z.null()]);

const triggerCondition = z
  .strictObject({
    path,
    equals: value.optional(),
    in: z.array(value).min(1).max(50).optional(),
    exists: z.boolean().optional(),
  })
  .refine(
    (one) => [one.equals, one.in, one.exists].filter((part) => part !== undefined).length === 1,
    'has exactly one of equals, in and exists',
  );
export type TriggerCondition = z.infer<typeof triggerCondition>;
const triggerFilter = z
  .array(triggerCondition)
  .max(TRIGGER_LIMITS.conditions)
  .refine((all) => JSON.stringify(all).length <= TRIGGER_LIMITS.filterCharacters, 'is too long');

const triggerSource = z.enum(TRIGGER_SOURCE_NAMES);
const triggerSecret = z.string().min(8).max(500);

const trigger = standingRun.extend({
  source: triggerSource,
  filter: triggerFilter,
  /** Without one, nothing that is delivered is accepted. */
  hasSecret: z.boolean(),
  /** Until when the secret before this one counts as well. */
  oldSecretUntil: timestamp.optional(),
});
export type TriggerOnWire = z.infer<typeof trigger>;

const triggerDelivery = z.object({
  id,
  at: timestamp,
  outcome: z.enum(DELIVERY_OUTCOMES),
  job: id.optional(),
  /** Why it was refused. */
  code: z.string().optional(),
  event: z.string().optional(),
  /** The delivery that this one repeats, because a person asked for it. */
  replayOf: id.optional(),
  bytes: z.number().int(),
  /** Whether its payload is still there. */
  kept: z.boolean(),
});
export type TriggerDeliveryOnWire = z.infer<typeof triggerDelivery>;

const deliveryPage = z.object({ deliveries: z.array(triggerDelivery), ...nextCursor });

const TAGS = ['Triggers'];
const [reading, writing] = [needsScope('jobs:read', 'database'), needsScope('jobs:write', 'database')];
const addressed = z.strictObject({ id });
const ofDelivery = z.strictObject({ id, delivery: id });
const changeable = {
  name: standingName,
  run: standingRequest,
  filter: triggerFilter,
  secret: triggerSecret,
  enabled: z.boolean(),
};
/** The secret is there if it was made just now, and is not shown again. */
const shownOnce = z.object({ trigger, url: z.string(), secret: z.string().optional() });
const started = z.object({ job: z.object({ id, status: jobStatus }) });

export const triggers = {
  create: writing
    .route({
      method: 'POST',
      path: '/triggers',
      successStatus: 201,
      tags: TAGS,
      summary: 'Make a trigger',
      description:
        'Generic, GitHub and Standard Webhooks get a secret, which is shown once; the secret that Slack, Stripe, Linear or GitLab shows is given, now or by PATCH.',
    })
    .input(
      z.strictObject({
        ...changeable,
        source: triggerSource,
        filter: triggerFilter.optional(),
        secret: triggerSecret.optional(),
        enabled: z.boolean().optional(),
      }),
    )
    .output(shownOnce),
  list: reading
    .route({
      method: 'GET',
      path: '/triggers',
      tags: TAGS,
      summary: "The caller's triggers, or all for owners and admins; newest first",
    })
    .input(z.strictObject({ workspace: id.optional(), ...page }))
    .output(z.object({ triggers: z.array(trigger), ...nextCursor })),
  get: reading
    .route({ method: 'GET', path: '/triggers/{id}', tags: TAGS, summary: 'A trigger' })
    .input(addressed)
    .output(z.object({ trigger, url: z.string() })),
  update: writing
    .route({
      method: 'PATCH',
      path: '/triggers/{id}',
      tags: TAGS,
      summary: 'Change a trigger, turn it on or off',
      description:
        'For the person who made it; owners and admins can turn it off. A change other than that replaces what its runs may do by what the token of the request may do; turning it on ends a pause.',
    })
    .input(z.strictObject({ id, ...z.object(changeable).partial().shape }))
    .output(z.object({ trigger })),
  remove: writing
    .route({
      method: 'DELETE',
      path: '/triggers/{id}',
      tags: TAGS,
      summary: 'Delete a trigger and what was delivered to it',
    })
    .input(addressed)
    .output(done),
  rotate: writing
    .route({
      method: 'POST',
      path: '/triggers/{id}/rotate',
      tags: TAGS,
      summary: 'Replace the secret; the old one counts for 24 hours more',
    })
    .input(z.strictObject({ id, secret: triggerSecret.optional() }))
    .output(shownOnce),
  test: writing
    .route({
      method: 'POST',
      path: '/triggers/{id}/test',
      tags: TAGS,
      summary: 'What a payload would start; nothing is started',
      description: 'With a `payload`, or with a `delivery` that is kept.',
    })
    .input(
      z.strictObject({
        id,
        payload: z.unknown().optional(),
        event: z.string().max(200).optional(),
        delivery: id.optional(),
      }),
    )
    .output(
      z.object({
        passes: z.boolean(),
        filter: z.array(z.object({ path: z.string(), holds: z.boolean() })),
        /** With the values filled in. */
        objective: z.string(),
      }),
    ),
  deliveries: reading
    .route({
      method: 'GET',
      path: '/triggers/{id}/deliveries',
      tags: TAGS,
      summary: 'What was delivered in the last days, newest first',
    })
    .input(z.strictObject({ id, ...page }))
    .output(deliveryPage),
  replay: writing
    .route({
      method: 'POST',
      path: '/triggers/{id}/deliveries/{delivery}/replay',
      successStatus: 202,
      tags: TAGS,
      summary: 'Start the run of a delivery once more',
    })
    .input(ofDelivery)
    .output(started),
};

/** What a sender is answered. */
export const deliveryAnswer = {
  started,
  ignored: z.union([
    z.object({ ignored: z.enum(['filter', 'duplicate', 'paused']) }),
    z.object({ challenge: z.string() }),
  ]),
};
