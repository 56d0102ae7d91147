// What is known of triggers without a schema, for pages and commands too.

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
  filterCharacters: 10_000,
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

export const DELIVERY_OUTCOMES = ['received', 'started', 'refused', 'filter', 'paused'] as const;
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];
