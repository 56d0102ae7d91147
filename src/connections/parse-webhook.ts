// The shapes of the provider's webhook that mean something to us. Every other shape is acknowledged and ignored.
import { z } from 'zod';

const text = z.string().min(1).max(1_000).refine((value) => !value.includes('\0'));
const optional = z.union([text, z.unknown().transform(() => undefined)]).optional();

const ids = { connectionId: text, providerConfigKey: text };
const authorized = z.object({
  type: z.literal('auth'),
  operation: z.enum(['creation', 'override']),
  success: z.literal(true),
  ...ids,
  provider: optional,
  tags: z.union([z.object({ organization_id: optional, workspace_id: optional, end_user_id: optional, connection_name: optional }), z.unknown().transform(() => undefined)]).optional(),
  endUser: z.union([z.object({ endUserId: optional, organizationId: optional }), z.unknown().transform(() => undefined)]).optional(),
});
const refreshFailed = z.object({ type: z.literal('auth'), operation: z.literal('refresh'), success: z.literal(false), ...ids });

export interface Authorized {
  readonly shape: 'authorized';
  readonly operation: 'creation' | 'override';
  readonly integrationId: string;
  readonly connectionId: string;
  /** The provider's own id of the app. */
  readonly app: string | undefined;
  readonly organizationId: string | undefined;
  readonly actorId: string | undefined;
  readonly workspaceId: string | undefined;
  readonly connectionName: string | undefined;
}

export type WebhookEvent = Authorized | { readonly shape: 'refresh-failed'; readonly integrationId: string; readonly connectionId: string } | { readonly shape: 'other' };

export function parseWebhook(body: unknown): WebhookEvent {
  const failed = refreshFailed.safeParse(body);
  if (failed.success) return { shape: 'refresh-failed', integrationId: failed.data.providerConfigKey, connectionId: failed.data.connectionId };
  const parsed = authorized.safeParse(body);
  if (!parsed.success) return { shape: 'other' };
  const { operation, connectionId, providerConfigKey, provider, tags, endUser } = parsed.data;
  return {
    shape: 'authorized',
    operation,
    integrationId: providerConfigKey,
    connectionId,
    app: provider,
    organizationId: tags?.organization_id ?? endUser?.organizationId,
    actorId: tags?.end_user_id ?? endUser?.endUserId,
    workspaceId: tags?.workspace_id,
    connectionName: tags?.connection_name,
  };
}
