// Addresses of an organization or a workspace that are told what happens there.
import { z } from 'zod';
import { done, id, nextCursor, page, timestamp } from '../common.ts';
import { needsScope } from '../needs-scope.ts';

export const SUBSCRIPTION_EVENTS = {
  'run.completed': 'a run has ended well',
  'run.failed': 'a run has failed',
  'run.aborted': 'a run was aborted',
  'schedule.paused': 'the service has paused a schedule',
  'connection.invalid': 'a connection no longer works and has to be renewed',
  'cap.reached': 'a monthly cap is used up',
} as const;
export type SubscriptionEvent = keyof typeof SUBSCRIPTION_EVENTS;

const event = z.enum(Object.keys(SUBSCRIPTION_EVENTS) as [SubscriptionEvent, ...SubscriptionEvent[]]);
const events = z
  .array(event)
  .min(1)
  .refine((given) => new Set(given).size === given.length, 'names an event twice');
const url = z.string().trim().min(1).max(2_000);

const subscription = z.object({
  id,
  url: z.string(),
  events: z.array(event),
  /** Absent if it is told of the whole organization. */
  workspace: id.optional(),
  createdBy: id,
  createdAt: timestamp,
  enabled: z.boolean(),
  /** `failing`: nothing was delivered for three days. `gone`: the address answered 410. */
  disabled: z.object({ reason: z.enum(['by_person', 'failing', 'gone']), at: timestamp }).optional(),
  failingSince: timestamp.optional(),
});
export type SubscriptionOnWire = z.infer<typeof subscription>;

const delivery = z.object({
  /** The `webhook-id` under which it is sent. */
  id,
  event,
  createdAt: timestamp,
  state: z.enum(['waiting', 'delivered', 'given_up']),
  tries: z.number().int(),
  triedAt: timestamp.optional(),
  deliveredAt: timestamp.optional(),
  nextAt: timestamp.optional(),
  /** What the address answered to the last try. */
  status: z.number().int().optional(),
  failure: z.string().optional(),
  /** What is sent. */
  body: z.string(),
});
export type DeliveryOnWire = z.infer<typeof delivery>;

const tags = ['Subscriptions'];
const [reading, writing] = [needsScope('jobs:read', 'database'), needsScope('jobs:write', 'database')];
const addressed = z.strictObject({ id });
const answer = z.object({ subscription });

export const subscriptions = {
  create: writing
    .route({
      method: 'POST',
      path: '/subscriptions',
      successStatus: 201,
      tags,
      summary: 'Have an address told what happens',
      description:
        'For owners and admins of the organization; with `workspace`, also for those of the workspace. Messages follow the Standard Webhooks specification. The secret is shown once.',
    })
    .input(z.strictObject({ url, events, workspace: id.optional() }))
    .output(answer.extend({ secret: z.string() })),
  list: reading
    .route({ method: 'GET', path: '/subscriptions', tags, summary: 'Subscriptions that the caller manages' })
    .input(z.strictObject({ workspace: id.optional(), ...page }))
    .output(z.object({ subscriptions: z.array(subscription), ...nextCursor })),
  get: reading
    .route({ method: 'GET', path: '/subscriptions/{id}', tags, summary: 'A subscription' })
    .input(addressed)
    .output(answer),
  change: writing
    .route({
      method: 'PATCH',
      path: '/subscriptions/{id}',
      tags,
      summary: 'Change a subscription, or turn it on again',
    })
    .input(addressed.extend({ url: url.optional(), events: events.optional(), enabled: z.boolean().optional() }))
    .output(answer),
  remove: writing
    .route({ method: 'DELETE', path: '/subscriptions/{id}', tags, summary: 'Remove a subscription' })
    .input(addressed)
    .output(done),
  deliveries: reading
    .route({ method: 'GET', path: '/subscriptions/{id}/deliveries', tags, summary: 'What was sent, newest first' })
    .input(addressed.extend(page))
    .output(z.object({ deliveries: z.array(delivery), ...nextCursor })),
  replay: writing
    .route({
      method: 'POST',
      path: '/subscriptions/{id}/deliveries/{delivery}/replay',
      successStatus: 202,
      tags,
      summary: 'Send a message again, under the same id',
    })
    .input(addressed.extend({ delivery: id }))
    .output(z.object({ delivery })),
};
