// Error messages by code. A code that is not listed shows the server's message, which is English: other languages list
// what they add in `serverTexts` and `serverSentences`.
import { plural } from '../language/format.ts';
import { inLanguage } from '../language/language.ts';

export const errorTexts = inLanguage('errorTexts', {
  unreachable: 'The server did not answer. Check your connection and try again. What you typed is still here.',
  unauthenticated: 'Your session has ended. Sign in again to continue.',
  invalid_request: 'Some values are not valid. Check the highlighted fields.',
  last_owner: 'An organization needs at least one owner. Make someone else an owner first.',
  seat_capacity_reached: 'All seats in your plan are taken. Remove a member, or ask your operator for a larger plan.',
  slug_taken: 'That address is taken. Choose another name.',
  owner_required: 'Only an owner of the organization can do this.',
  too_many_scim_tokens: 'This organization has two SCIM tokens already. Revoke the one that is no longer used.',
  already_member: 'This person is already a member.',
  invalid_credentials: 'The email address or password is incorrect.',
  user_exists: 'An account with this email address already exists. Sign in instead.',
  openid_unavailable:
    'The sign-in provider did not answer. Try again shortly. If it keeps happening, tell your operator.',
  openid_refused:
    'The answer of the sign-in provider could not be verified. Start again. If it keeps happening, tell your operator.',
  openid_state_invalid: 'This sign-in took too long, was already used, or began in another browser. Start again.',
  openid_cancelled: 'The sign-in provider did not let you in, or you cancelled. Start again.',
  openid_address_unverified:
    'The sign-in provider has not verified your email address. Verify it there, or ask your operator, then sign in again.',
  openid_domain_refused: 'Addresses of this domain cannot sign in here. Use the account of your organization.',
  openid_link_gone: 'There is nothing to connect, or it took too long. Continue with the sign-in provider again.',
  openid_link_other_account:
    'You are signed in with another account. Sign in with the account that you want to connect.',
  openid_not_fresh: 'The sign-in provider did not confirm that you have just signed in there. Try again.',
  password_sign_in_closed:
    'Passwords are not accepted here. Sign in through the sign-in provider of your organization.',
  account_disabled: 'This account is disabled. Ask the operator of the service.',
  too_many_runs: 'You have reached the limit of waiting runs. Wait until some have started, or abort one.',
  too_many_streams: 'Too many live views are open. Close some tabs of this app, then reload this page.',
  sign_up_closed:
    'You need an invitation to create an account here. Open your invitation link and use the email address it was created for.',
  organizations_closed: 'Only the operator of this service can create organizations. Ask them to create one for you.',
  storage_full:
    'Your organization has run out of storage. Delete chats with attachments you no longer need, or ask your operator for more space.',
  quota_exceeded: 'Quota exceeded: your organization’s budget does not cover this request.',
});

export const RATE_LIMITED = inLanguage('RATE_LIMITED', 'Rate limited:');

export const rateLimited = inLanguage('rateLimited', (seconds: number | undefined): string => {
  const wait =
    seconds === undefined
      ? 'Wait a minute, then try again.'
      : `Try again in ${plural(seconds, { one: '# second', other: '# seconds' })}.`;
  return `${RATE_LIMITED} too many requests in a short time. ${wait}`;
});

export const FALLBACK_ERROR = inLanguage(
  'FALLBACK_ERROR',
  'Something went wrong. Try again. If it keeps happening, contact your operator.',
);

/**
 * By code, or by what stands before its colon. A function gets the server's message, or its own
 * result again: a fault that is kept is read twice.
 */
export type ServerTexts = Readonly<Record<string, string | ((message: string) => string)>>;

/** Errors whose text is a whole sentence instead of a code; `{}` stands for a name in it. */
export type ServerSentences = readonly { readonly said: string; readonly shown: string }[];

export const serverTexts = inLanguage<ServerTexts>('serverTexts', {});
export const serverSentences = inLanguage<ServerSentences>('serverSentences', []);
