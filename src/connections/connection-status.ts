// The states of a connection and everything that moves it between them. Read repair's healthy check moves nothing.

export const CONNECTION_STATUSES = ['valid', 'expired', 'invalid'] as const;
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

/** Why a connection is invalid, by what was heard of it. */
export const REASONS = {
  provider_auth_refresh_failed: 'the provider says that renewing the authorization failed',
  provider_connection_errors: 'the provider reports errors of the connection',
  provider_refresh_exhausted: 'the provider has given up renewing the authorization',
  provider_connection_missing: 'the provider no longer has the connection',
  workspace_membership_revoked: 'somebody who has left the workspace authorized it again',
  workspace_authority_required: 'somebody who may not replace it authorized it again',
} as const satisfies Record<string, string>;
export type Reason = keyof typeof REASONS;

/** A row of the table of transitions; `from` is any state, but for one that says less than what is known already. */
export const TRANSITIONS = {
  'webhook creation or override': { to: 'valid', reason: undefined },
  'webhook refresh failed': { to: 'invalid', reason: 'provider_auth_refresh_failed' },
  'direct check: errors': { to: 'invalid', reason: 'provider_connection_errors' },
  'direct check: refresh exhausted': { to: 'invalid', reason: 'provider_refresh_exhausted' },
  'direct check: missing': { to: 'invalid', reason: 'provider_connection_missing' },
  'listed with authorization errors': {
    to: 'invalid',
    reason: 'provider_connection_errors',
    from: ['valid', 'expired'],
  },
  'reconnected by a former member': { to: 'invalid', reason: 'workspace_membership_revoked' },
  'reconnected without authority': { to: 'invalid', reason: 'workspace_authority_required' },
} as const satisfies Record<string, Transition>;
export type Trigger = keyof typeof TRANSITIONS;

export interface Transition {
  readonly to: ConnectionStatus;
  readonly reason: Reason | undefined;
  readonly from?: readonly ConnectionStatus[];
}

/** `expired` follows from the clock and is never waited for. */
export function statusAt(stored: ConnectionStatus, expiry: Date | undefined, now: Date): ConnectionStatus {
  return stored === 'valid' && expiry !== undefined && expiry <= now ? 'expired' : stored;
}

const UNUSABLE_WORDS = [
  'invalid',
  'expired',
  'failed',
  'failure',
  'error',
  'disconnected',
  'revoked',
  'unauthorized',
  'unauthenticated',
  'missing',
  'blocked',
] as const;

/** Whether something of this status may be used: its status contains none of these words. */
export function isUsableStatus(status: string): boolean {
  const lower = status.toLowerCase();
  return !UNUSABLE_WORDS.some((word) => lower.includes(word));
}
