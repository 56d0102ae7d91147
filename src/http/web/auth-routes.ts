// Every route of the identity library that the service offers; the rest of it does not exist. The printed contract
// reads the same table, so a route that is added here is described at once.
import { z } from 'zod';
import { email, id, name } from '../../contract/common.ts';
import type { RouteCost } from '../../contract/route-cost.ts';
import { PASSWORD_LENGTH } from '../../identity/create-auth.ts';
import type { LimitName } from '../shell/request-limits.ts';

export interface AuthRoute {
  readonly summary: string;
  readonly limit: LimitName;
  readonly cost: RouteCost;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** For the printed contract; what the identity library has besides may change with it. */
  readonly answer: z.ZodType;
  /** Whether it is about the person who is signed in. */
  readonly signedIn?: true;
  /** Whether an account comes of it: SERVICE_SIGN_UP decides who may. */
  readonly makesAccount?: true;
}

const password = z
  .string()
  .min(PASSWORD_LENGTH.min, `has fewer than ${PASSWORD_LENGTH.min} characters`)
  .max(PASSWORD_LENGTH.max, `has more than ${PASSWORD_LENGTH.max} characters`);
const givenPassword = z.string().min(1).max(PASSWORD_LENGTH.max);
/** Tokens and approved clients go with the sessions unless the person says otherwise. */
const keepTokens = z.boolean().optional();
const code = z.string().regex(/^[\x20-\x7e]{1,200}$/);

const user = z.looseObject({ id, name: z.string(), email: z.string() });
const session = z.looseObject({ id, userId: id, expiresAt: z.string() });
const ended = z.looseObject({ status: z.boolean() });
const answered = z.looseObject({ success: z.boolean() });

export const AUTH_ROUTES: Readonly<Record<string, AuthRoute>> = {
  'POST /sign-up/email': {
    summary:
      'Make an account and sign in; the session is a cookie. Where one has to be invited, `invitation` is the id in the link, addressed to `email`',
    limit: 'sign-up',
    cost: 'hashing',
    makesAccount: true,
    answer: z.looseObject({ user }),
    body: z.object({ name, email, password, invitation: id.optional() }),
  },
  'POST /sign-in/email': {
    summary: 'Sign in; the session is a cookie',
    limit: 'sign-in',
    cost: 'hashing',
    answer: z.looseObject({ user }),
    body: z.object({ email, password: givenPassword, rememberMe: z.boolean().optional() }),
  },
  'POST /sign-out': {
    summary: 'End the session',
    limit: 'account',
    cost: 'database',
    signedIn: true,
    answer: answered,
  },
  'GET /get-session': {
    summary: 'The session and its user, or null',
    limit: 'account',
    cost: 'database',
    answer: z.looseObject({ session, user }).nullable(),
  },
  'POST /update-user': {
    summary: "Change one's name",
    limit: 'account',
    cost: 'database',
    signedIn: true,
    answer: ended,
    body: z.object({ name }),
  },
  'POST /change-password': {
    summary:
      "Change one's password, and end the other sessions, the tokens and the approved clients; `revokeOtherSessions: false` and `keepTokens: true` keep them",
    limit: 'password',
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
  'POST /revoke-sessions': {
    summary: "End all of one's sessions, and unless `keepTokens` is true, the tokens and the approved clients",
    limit: 'account',
    cost: 'database',
    signedIn: true,
    answer: ended,
    body: z.object({ keepTokens }),
  },
  'POST /revoke-other-sessions': {
    summary: "End one's other sessions, and unless `keepTokens` is true, the tokens and the approved clients",
    limit: 'account',
    cost: 'database',
    signedIn: true,
    answer: ended,
    body: z.object({ keepTokens }),
  },
  'POST /device/code': {
    summary: 'Begin the device flow (RFC 8628)',
    limit: 'device-code',
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
    summary: 'Ask whether the device was approved; the access token is a session token',
    limit: 'account',
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
    summary: 'What a device asks for; claims its code for the signed-in person',
    limit: 'device-answer',
    cost: 'database',
    signedIn: true,
    answer: z.looseObject({ user_code: z.string(), status: z.string() }),
    query: z.object({ user_code: code }),
  },
  'POST /device/approve': {
    summary: 'Let a device in',
    limit: 'device-answer',
    cost: 'database',
    signedIn: true,
    answer: answered,
    body: z.object({ userCode: code }),
  },
  'POST /device/deny': {
    summary: 'Turn a device away',
    limit: 'device-answer',
    cost: 'database',
    signedIn: true,
    answer: answered,
    body: z.object({ userCode: code }),
  },
};
