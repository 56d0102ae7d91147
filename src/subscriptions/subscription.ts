// A subscription as its row has it, and its secret.
import { randomBytes } from 'node:crypto';
import type { SubscriptionEvent, SubscriptionOnWire } from '../contract/subscriptions/subscriptions.ts';

export interface SubscriptionRow extends Record<string, unknown> {
  id: string;
  organization_id: string;
  workspace_id: string | null;
  created_by: string;
  url: string;
  events: SubscriptionEvent[];
  created_at: Date;
  failing_since: Date | null;
  disabled_at: Date | null;
  disabled_reason: 'by_person' | 'failing' | 'gone' | null;
}

export const COLUMNS =
  's.id, s.organization_id, s.workspace_id, s.created_by, s.url, s.events, s.created_at, s.failing_since, s.disabled_at, s.disabled_reason';

export function toWire(row: SubscriptionRow): SubscriptionOnWire {
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    ...(row.workspace_id === null ? {} : { workspace: row.workspace_id }),
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
    enabled: row.disabled_at === null,
    ...(row.disabled_at && row.disabled_reason
      ? { disabled: { reason: row.disabled_reason, at: row.disabled_at.toISOString() } }
      : {}),
    ...(row.failing_since ? { failingSince: row.failing_since.toISOString() } : {}),
  };
}

const SECRET_BYTES = 32;

/** In the form of the Standard Webhooks specification: the key is what the base64 decodes to. */
export function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** To which row the sealed secret belongs. */
export function sealingContext(id: string): readonly string[] {
  return ['subscription', id];
}
