// Every route of the identity library that the service offers; its other routes do not exist. The printed contract
// reads the same table, so a new route is documented automatically.
import { z } from 'zod';
import { done, email, id, name } from '../../contract/common.ts';
import type { RouteCost } from '../../contract/route-cost.ts';
import {
  givenCode,
  givenPassword,
  newPassword as password,
  passkeyOptions,
  usedPasskey,
} from '../../contract/account/account.ts';
import type { AttemptName } from '../shell/admission/limits.ts';

export interface AuthRoute {
  readonly summary: string;
  readonly attempt: AttemptName;
  readonly cost: RouteCost;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** For the printed contract; other fields of the identity library's response may change with it. */
  readonly answer: z.ZodType;
  /** Whether it requires a session. */
  readonly signedIn?: true;
  /** Whether it creates an account: SERVICE_SIGN_UP decides who may. */
  readonly makesAccount?: true;
}

/** Tokens and approved clients end with the sessions unless the person keeps them. */
const keepTokens = z.boolean().optional();
const code = z.string().regex(/^[\x20-\x7e]{1,200}$/);

const user = z.looseObject({ id, name: z.string(), email: z.string() });
const session = z.looseObject({ id, userId: id, expiresAt: z.string() });
const ended = z.looseObject({ status: z.boolean() });
const answered = z.looseObject({ success: z.boolean() });

export const AUTH_ROUTES: Readonly<Record<string, AuthRoute>> = {
  'POST /sign-up/email': {
    summary:
      'Create an account and sign in; the session is a cookie. If an invitation is required, `invitation` is the id in its link, addressed to `email`',
    attempt: 'sign-up',
    cost: 'hashing',
    makesAccount: true,
    answer: z.looseObject({ user }),
    body: z.object({ name, email, password, invitation: id.optional() }),
  },
  'POST /sign-in/email': {
    summary:
      'Sign in; the session is a cookie. `secondFactor` instead of `user`: there is no session yet, and `POST /api/auth/second-factor` begins it within five minutes',
    attempt: 'sign-in',
    cost: 'hashing',
    answer: z.union([z.object({ user }), z.object({ secondFactor: z.literal(true) })]),
    body: z.object({ email, password: givenPassword, rememberMe: z.boolean().optional() }),
  },
  'POST /second-factor': {
    summary: 'Finish signing in with a one-time code or a recovery code; after five wrong ones, begin again',
    attempt: 'sign-in',
    cost: 'database',
    answer: z.object({ user }),
    body: z.object({ code: givenCode }),
  },
  'POST /passkey/options': {
    summary: 'What to ask the browser for, to sign in by a passkey',
    attempt: 'sign-in',
    cost: 'database',
    answer: passkeyOptions,
    body: z.object({ rememberMe: z.boolean().optional() }),
  },
  'POST /passkey': {
    summary: 'Sign in by a passkey; it counts as two factors',
    attempt: 'sign-in',
    cost: 'database',
    answer: z.object({ user }),
    body: z.object({ passkey: usedPasskey }),
  },
  'POST /sign-out': {
    summary:
      'End the session. `provider` is the OpenID provider at which the browser is still signed in; GET /api/auth/openid/sign-out leads there',
    attempt: 'account',
    cost: 'database',
    signedIn: true,
    answer: answered.extend({ provider: z.string().optional() }),
  },
  'GET /get-session': {
    summary: 'The session and its user, or null',
    attempt: 'account',
    cost: 'database',
    answer: z.looseObject({ session, user }).nullable(),
  },
  'POST /change-password': {
    summary:
      'Change your password and end your other sessions, tokens and approved clients; `revokeOtherSessions: false` and `keepTokens: true` keep them',
    attempt: 'password',
    cost: 'hashing',
    signedIn: true,
    answer: z.object({ user }),
    body: z.object({
      currentPassword: givenPassword,
      newPassword: password,
      revokeOtherSessions: z.boolean().optional(),
      keepTokens,
    }),
  },
  'POST /forgot-password': {
    summary:
      'Have a link for a new password sent; the answer is the same whether or not there is an account with this address',
    attempt: 'forgot-password',
    cost: 'database',
    answer: done,
    body: z.object({ email }),
  },
  'POST /reset-password': {
    summary:
      'Choose a new password with the secret of a link. It ends every session and, unless `keepTokens` is true, tokens and approved clients; it does not sign in',
    attempt: 'reset-password',
    cost: 'hashing',
    answer: done,
    body: z.object({ token: z.string().regex(/^[\w-]{20,128}$/), password, keepTokens }),
  },
  'POST /revoke-sessions': {
    summary: 'End all your sessions and, unless `keepTokens` is true, your tokens and approved clients',
    attempt: 'account',
    cost: 'database',
    signedIn: true,
    answer: ended,
    body: z.object({ keepTokens }),
  },
  'POST /revoke-other-sessions': {
    summary: 'End your other sessions and, unless `keepTokens` is true, your tokens and approved clients',
    attempt: 'account',
    cost: 'database',
    signedIn: true,
    answer: ended,
    body: z.object({ keepTokens }),
  },
  'POST /device/code': {
    summary: 'Start the device flow (RFC 8628)',
    attempt: 'device-code',
    cost: 'database',
    answer: z.looseObject({
      device_code: z.string(),
      user_code: z.string(),
      verification_uri: z.string(),
      verification_uri_complete: z.string(),
      expires_in: z.number(),
      interval: z.number(),
    }),
    body: z.object({ client_id: code, scope: code.optional() }),
  },
  'POST /device/token': {
    summary: 'Check whether the device was approved; the access token is a session token',
    attempt: 'account',
    cost: 'database',
    answer: z.looseObject({
      access_token: z.string(),
      token_type: z.string(),
      expires_in: z.number(),
      scope: z.string(),
    }),
    body: z.object({ grant_type: code, device_code: code, client_id: code }),
  },
  'GET /device': {
    summary: 'Read a device request; claims its code for the signed-in person',
    attempt: 'device-answer',
    cost: 'database',
    signedIn: true,
    answer: z.looseObject({ user_code: z.string(), status: z.string() }),
    query: z.object({ user_code: code }),
  },
  'POST /device/approve': {
    summary: 'Approve a device',
    attempt: 'device-answer',
    cost: 'database',
    signedIn: true,
    answer: answered,
    body: z.object({ userCode: code }),
  },
  'POST /device/deny': {
    summary: 'Deny a device',
    attempt: 'device-answer',
    cost: 'database',
    signedIn: true,
    answer: answered,
    body: z.object({ userCode: code }),
  },
};
