// Triggers on the wire: what starts a run when something is delivered to its address.
import { z } from 'zod';
import { id, nextCursor, timestamp } from '../common.ts';
import { standingRun } from './standing-runs.ts';

/** Who makes the secret that a source signs with: we do, or the sender, who shows it to the person. */
export const TRIGGER_SOURCES = {
  generic: { secretFrom: 'us' },
  github: { secretFrom: 'us' },
  gitlab: { secretFrom: 'sender' },
  linear: { secretFrom: 'sender' },
  slack: { secretFrom: 'sender' },
  stripe: { secretFrom: 'sender' },
  'standard-webhooks': { secretFrom: 'us' },
} as const satisfies Record<string, { readonly secretFrom: 'us' | 'sender' }>;
export type TriggerSource = keyof typeof TRIGGER_SOURCES;
export const TRIGGER_SOURCE_NAMES = Object.keys(TRIGGER_SOURCES) as [TriggerSource, ...TriggerSource[]];

export const TRIGGER_LIMITS = {
  /** Of one delivery. */
  bytes: 1024 * 1024,
  conditions: 20,
  placeholders: 20,
  /** Of the value of a placeholder. */
  valueCharacters: 2_000,
  /** How long the same delivery starts nothing again, and how long a replaced secret still counts. */
  hours: 24,
  /** How long it is known what was delivered. */
  days: 7,
  /** Payloads that are kept of one trigger. */
  payloads: 200,
  payloadBytes: 32 * 1024 * 1024,
} as const;

/** Names between dots; `@event` and `@delivery` are what the sender's headers say. */
export const PATH_PATTERN = /^(?:@event|@delivery|[^\s{}.@][^\s{}.]*(?:\.[^\s{}.]+)*)$/;
const path = z.string().min(1).max(200).regex(PATH_PATTERN, 'names between dots, such as issue.title');
const value = z.union([z.string().max(1_000), z.number(), z.boolean(), z.null()]);

export const triggerCondition = z
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
export const triggerFilter = z.array(triggerCondition).max(TRIGGER_LIMITS.conditions);

export const triggerSource = z.enum(TRIGGER_SOURCE_NAMES);
export const triggerSecret = z.string().min(8).max(500);

export const trigger = standingRun.extend({
  source: triggerSource,
  filter: triggerFilter,
  /** Without one, nothing that is delivered is accepted. */
  hasSecret: z.boolean(),
  /** Until when the secret before this one counts as well. */
  oldSecretUntil: timestamp.optional(),
});
export type TriggerOnWire = z.infer<typeof trigger>;

export const DELIVERY_OUTCOMES = ['received', 'started', 'refused', 'filter', 'paused'] as const;
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

export const triggerDelivery = z.object({
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

export const deliveryPage = z.object({ deliveries: z.array(triggerDelivery), ...nextCursor });
