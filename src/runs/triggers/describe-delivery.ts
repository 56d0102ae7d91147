// What a source says of a delivery beside its payload: what happened, and its own id for it, which is the same each time
// it sends the same thing. One row a source.
import { createHash } from 'node:crypto';
import type { TriggerSource } from '../../contract/standing/trigger-rules.ts';
import type { Delivered } from './payload-path.ts';
import { type DeliveryHeaders, fieldsOf, type ReadPayload } from './read-payload.ts';

type Fields = Readonly<Record<string, unknown>>;
interface SourceRow {
  readonly event: (headers: DeliveryHeaders, fields: Fields) => unknown;
  readonly id: (headers: DeliveryHeaders, fields: Fields) => unknown;
}

const ROWS = {
  generic: { event: (h) => h.get('x-service-event'), id: (h) => h.get('x-service-delivery') },
  github: { event: (h) => h.get('x-github-event'), id: (h) => h.get('x-github-delivery') },
  gitlab: {
    event: (h) => h.get('x-gitlab-event'),
    // Hooks that cause each other share the id of their first event, so that id comes last.
    id: (h) => h.get('webhook-id') ?? h.get('idempotency-key') ?? h.get('x-gitlab-event-uuid'),
  },
  linear: { event: (h) => h.get('linear-event'), id: (h) => h.get('linear-delivery') },
  slack: {
    event: (_h, fields) => fieldsOf(fields['event'])['type'] ?? fields['command'] ?? fields['type'],
    id: (_h, fields) => fields['event_id'] ?? fields['trigger_id'],
  },
  stripe: { event: (_h, fields) => fields['type'], id: (_h, fields) => fields['id'] },
  'standard-webhooks': { event: (_h, fields) => fields['type'], id: (h) => h.get('webhook-id') },
} as const satisfies Record<TriggerSource, SourceRow>;

const MOST_CHARACTERS = 200;

export function describeDelivery(
  source: TriggerSource,
  headers: DeliveryHeaders,
  { payload }: Pick<ReadPayload, 'payload'>,
): Delivered {
  const fields = fieldsOf(payload);
  const { event, id }: SourceRow = ROWS[source];
  return { payload, event: shortText(event(headers, fields)), deliveryId: shortText(id(headers, fields)) };
}

/** What tells a delivery from others: the sender's id or, without one, the body. */
export function deliveryKey({ deliveryId }: Pick<Delivered, 'deliveryId'>, body: Buffer): string {
  const [kind, what] = deliveryId === undefined ? ['body', body] : ['id', deliveryId];
  return `${kind}:${createHash('sha256').update(what).digest('hex')}`;
}

/** GitHub says hello to a new hook; nothing has happened then. */
export function isGreeting(source: TriggerSource, { event }: Pick<Delivered, 'event'>): boolean {
  return source === 'github' && event === 'ping';
}

/** Slack asks whether the address is ours: what to answer with. */
export function findChallenge(source: TriggerSource, { payload }: Pick<Delivered, 'payload'>): string | undefined {
  const { type, challenge } = fieldsOf(payload);
  return source === 'slack' && type === 'url_verification' && typeof challenge === 'string' ? challenge : undefined;
}

function shortText(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '' || value.includes('\0')) return undefined;
  const text = value.slice(0, MOST_CHARACTERS);
  return text.isWellFormed() ? text : text.slice(0, -1);
}
