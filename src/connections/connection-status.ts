// The states of a connection and every transition between them. A healthy check by read repair changes nothing. A failed
// renewal may be a bad moment of the app: the connection is valid again as soon as one succeeds or a call is answered.

export const CONNECTION_STATUSES = ['valid', 'expired', 'invalid'] as const;
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

/** Why a connection is invalid. */
export const REASONS = {
  provider_auth_refresh_failed: 'the provider could not renew the authorization',
  provider_connection_errors: 'the provider reports errors for the connection',
  provider_refresh_exhausted: 'the provider has given up renewing the authorization',
  provider_connection_missing: 'the provider no longer has the connection',
  workspace_membership_revoked: 'a former member of the workspace authorized it again',
  workspace_authority_required: 'a member without authority to replace it authorized it again',
} as const satisfies Record<string, string>;
export type Reason = keyof typeof REASONS;

/** `from` and `only` default to any state and reason; they are limited where the trigger says less than what is known. */
export const TRANSITIONS = {
  'webhook creation or override': { to: 'valid', reason: undefined },
  'webhook refresh failed': { to: 'invalid', reason: 'provider_auth_refresh_failed' },
  'webhook refresh succeeded': { to: 'valid', reason: undefined, only: 'provider_auth_refresh_failed' },
  'call answered': { to: 'valid', reason: undefined, only: 'provider_auth_refresh_failed' },
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
  readonly only?: Reason;
}

/** Whether an answered call makes the connection valid again. */
export function isRestoredByCall({
  status,
  reason,
}: {
  readonly status: ConnectionStatus;
  readonly reason?: string | undefined;
}): boolean {
  return status === 'invalid' && reason === TRANSITIONS['call answered'].only;
}

/** `expired` is derived from the clock, so it takes effect without an event. */
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

/** Usable unless the status contains one of these words. */
export function isUsableStatus(status: string): boolean {
  const lower = status.toLowerCase();
  return !UNUSABLE_WORDS.some((word) => lower.includes(word));
}
