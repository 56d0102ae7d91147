// What a refusal means for the person who met it, by its code. Codes that are not here show the server's own message.
export const errorTexts = {
  unreachable: 'The server did not answer. Check your connection and try again; nothing you typed is lost.',
  unauthenticated: 'Your session has ended. Sign in again to continue.',
  invalid_request: 'Some of the values are not accepted. See the marked fields.',
  last_owner: 'An organization needs at least one owner. Make somebody else an owner first.',
  seat_capacity_reached: 'All seats of your plan are taken. Remove a member, or ask your operator for a larger plan.',
  slug_taken: 'That address is taken. Choose another name.',
  owner_required: 'Only an owner can give or take away the owner role.',
  already_member: 'This person is already a member.',
  invalid_credentials: 'The email address or the password is not right.',
  user_exists: 'There is already an account with this email address. Sign in instead.',
  too_many_runs: 'You have as many runs waiting as one person may have. Wait until some have begun, or abort one.',
  too_many_streams: 'Too many live views are open. Close some tabs of this app, then reload this one.',
  sign_up_closed:
    'You need an invitation to create an account here. Open the link you were given and use the email address it was sent to.',
  organizations_closed: 'Organizations are created by the operator of this service. Ask them for one.',
  storage_full:
    'The storage of your organization is full. Delete conversations with attachments you no longer need, or ask your operator for more room.',
  quota_exceeded: 'Quota exceeded: the budget of your organization does not cover this request.',
} as const;

export const RATE_LIMITED = 'Rate limited:';

export function rateLimited(seconds: number | undefined): string {
  const wait =
    seconds === undefined
      ? 'Wait a minute, then try again.'
      : `Try again in ${seconds === 1 ? '1 second' : `${seconds} seconds`}.`;
  return `${RATE_LIMITED} too many requests in a short time. ${wait}`;
}

export const FALLBACK_ERROR = 'That did not work. Try again; if it stays, tell your operator.';
