// Identity, and OAuth for MCP clients.
import { z } from 'zod';
import { page, role, timestamp } from '../../contract/common.ts';
import { SIGN_IN_OPTIONS_PATH, SIGN_UP_KINDS } from '../../contract/sign-in-options.ts';
import { scope } from '../../contract/tokens.ts';
import { AUTH_PATH } from '../../identity/create-auth.ts';
import { consentAnswer } from '../oauth/consent.ts';
import { OAUTH_PATHS } from '../oauth/metadata.ts';
import { AUTH_ROUTES } from '../web/auth-routes.ts';
import { linkAnswer, logoutForm, OPENID_PATHS, startQuery } from '../web/openid-routes.ts';
import { type DescribedRoute, json } from './described-route.ts';

const TAG = 'OAuth';
const FORM = 'application/x-www-form-urlencoded';
const texts = z.array(z.string());
const protectedResource = z
  .object({
    resource: z.string(),
    authorization_servers: texts,
    scopes_supported: texts,
    bearer_methods_supported: texts,
    resource_name: z.string(),
  })
  .meta({ id: 'ProtectedResourceMetadata' });
const authorizationServer = z
  .object({
    issuer: z.string(),
    authorization_endpoint: z.string(),
    token_endpoint: z.string(),
    registration_endpoint: z.string(),
    revocation_endpoint: z.string(),
    scopes_supported: texts,
    response_types_supported: texts,
    response_modes_supported: texts,
    grant_types_supported: texts,
    token_endpoint_auth_methods_supported: texts,
    revocation_endpoint_auth_methods_supported: texts,
    code_challenge_methods_supported: texts,
    authorization_response_iss_parameter_supported: z.boolean(),
    client_id_metadata_document_supported: z.boolean(),
    protected_resources: texts,
  })
  .meta({ id: 'AuthorizationServerMetadata' });
const METADATA = [
  [
    '/.well-known/oauth-protected-resource',
    'Protected-resource metadata (RFC 9728); also with /connect/mcp appended',
    protectedResource,
  ],
  ['/.well-known/oauth-authorization-server', 'Authorization-server metadata (RFC 8414)', authorizationServer],
  ['/.well-known/openid-configuration', 'The same, where OpenID clients look', authorizationServer],
] as const;
const client = z.object({
  client_id: z.string(),
  client_id_issued_at: z.number().int(),
  client_name: z.string(),
  client_uri: z.string().optional(),
  application_type: z.string(),
  redirect_uris: texts,
  grant_types: texts,
  response_types: texts,
  token_endpoint_auth_method: z.literal('none'),
});
const place = { id: z.string(), slug: z.string(), name: z.string() };
const consentRequest = z.object({
  request: z.object({
    id: z.string(),
    client: z.object({
      id: z.string(),
      name: z.string(),
      uri: z.string().optional(),
      verifiedHost: z.string().optional(),
    }),
    redirectHost: z.string(),
    scopes: z.array(scope),
    offline: z.boolean(),
    expiresAt: timestamp,
    fault: z.object({ error: z.string(), description: z.string() }).optional(),
  }),
  organizations: z.array(z.object({ ...place, role, workspaces: z.array(z.object({ ...place, kind: z.string() })) })),
});
const tokens = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.number().int(),
  scope: z.string(),
  refresh_token: z.string().optional(),
});
const grant = z.object({
  id: z.string(),
  client: z.object({ id: z.string(), name: z.string() }),
  organization: z.string(),
  workspace: z.string().optional(),
  scopes: z.array(z.string()),
  createdAt: z.string(),
  usedAt: z.string(),
});

const authRoutes = Object.entries(AUTH_ROUTES).map(
  ([key, { summary, query, body, answer, signedIn }]): DescribedRoute => {
    const [method, path] = key.split(' ') as ['GET' | 'POST', string];
    return {
      method,
      path: `${AUTH_PATH}${path}`,
      tag: 'Identity',
      summary,
      caller: signedIn ? 'session' : 'anyone',
      ...(query ? { query } : {}),
      ...(body ? { body: { type: 'application/json', schema: body } } : {}),
      answers: { 200: json('Done', answer) },
    };
  },
);

const BACK = 'To the provider, a page of the app, or the sign-in page with `error`';
const browserStep = (path: string, summary: string, query?: z.ZodType): DescribedRoute => ({
  method: 'GET',
  path,
  tag: 'Identity',
  summary,
  caller: 'anyone',
  ...(query ? { query } : {}),
  answers: { 302: { text: BACK, headers: { location: 'Where to.' } } },
});

const OPENID_ROUTES: readonly DescribedRoute[] = [
  browserStep(
    OPENID_PATHS.start,
    'Sign in through the OpenID provider; with `proof` the signed-in person proves again who they are',
    startQuery,
  ),
  browserStep(
    OPENID_PATHS.callback,
    'Where the OpenID provider sends the browser back to',
    z.object({
      code: z.string().optional(),
      state: z.string().optional(),
      iss: z.string().optional(),
      error: z.string().optional(),
    }),
  ),
  browserStep(OPENID_PATHS.signOut, 'Sign out at the OpenID provider too, after signing out here'),
  {
    method: 'GET',
    path: OPENID_PATHS.link,
    tag: 'Identity',
    summary: 'Read which account this browser may connect with the OpenID provider; a cookie of the callback says so',
    caller: 'anyone',
    answers: { 200: json('The account, and who is signed in', linkAnswer) },
  },
  {
    method: 'POST',
    path: OPENID_PATHS.link,
    tag: 'Identity',
    summary: 'Connect that account, with a session of it; `next` is where the browser goes on',
    caller: 'session',
    answers: { 200: json('Connected', z.object({ next: z.string() })) },
  },
  {
    method: 'POST',
    path: OPENID_PATHS.logout,
    tag: 'Identity',
    summary: 'Back-channel logout: the OpenID provider ends sessions',
    caller: 'anyone',
    body: { type: FORM, schema: logoutForm },
    answers: { 200: json('Ended', z.object({ ok: z.literal(true) })) },
  },
];

export const IDENTITY_ROUTES: readonly DescribedRoute[] = [
  ...authRoutes,
  ...OPENID_ROUTES,
  {
    method: 'GET',
    path: SIGN_IN_OPTIONS_PATH,
    tag: 'Identity',
    caller: 'anyone',
    summary: 'Who may create an account',
    answers: {
      200: json(
        'The options',
        z.object({
          signUp: z.enum(SIGN_UP_KINDS),
          openid: z.object({ name: z.string(), only: z.boolean() }).optional(),
          mail: z.boolean(),
        }),
      ),
    },
  },
  ...METADATA.map(([path, summary, schema]): DescribedRoute => ({
    method: 'GET',
    path,
    tag: TAG,
    summary,
    caller: 'anyone',
    answers: { 200: json('The metadata', schema) },
    failure: 'OAuthError',
  })),
  {
    method: 'POST',
    path: OAUTH_PATHS.register,
    tag: TAG,
    caller: 'anyone',
    summary: 'Register a client (RFC 7591); every client is public',
    failure: 'OAuthError',
    body: {
      type: 'application/json',
      schema: z.looseObject({
        redirect_uris: z.array(z.string()),
        client_name: z.string().optional(),
        grant_types: z.array(z.string()).optional(),
      }),
    },
    answers: { 201: json('The client as registered', client) },
  },
  {
    method: 'GET',
    path: OAUTH_PATHS.authorize,
    tag: TAG,
    caller: 'anyone',
    summary: 'Start: redirects the browser to sign-in and consent',
    failure: 'OAuthError',
    query: z.object({
      response_type: z.literal('code'),
      client_id: z.string(),
      redirect_uri: z.string().optional(),
      code_challenge: z.string(),
      code_challenge_method: z.literal('S256'),
      scope: z.string().optional(),
      state: z.string().optional(),
      resource: z.string().optional(),
    }),
    answers: {
      302: {
        text: 'To the consent page, even if the request is invalid: the person sees who asks before the client gets the error',
        headers: { location: 'Where to.' },
      },
    },
  },
  {
    method: 'POST',
    path: OAUTH_PATHS.token,
    tag: TAG,
    caller: 'anyone',
    summary: 'Exchange a code or a refresh token for a connect token',
    failure: 'OAuthError',
    body: {
      type: FORM,
      schema: z.object({
        grant_type: z.enum(['authorization_code', 'refresh_token']),
        client_id: z.string(),
        code: z.string().optional(),
        code_verifier: z.string().optional(),
        redirect_uri: z.string().optional(),
        refresh_token: z.string().optional(),
        scope: z.string().optional(),
        resource: z.string().optional(),
      }),
    },
    answers: { 200: json('The tokens', tokens) },
  },
  {
    method: 'POST',
    path: OAUTH_PATHS.revoke,
    tag: TAG,
    caller: 'anyone',
    summary: 'Revoke a token (RFC 7009)',
    failure: 'OAuthError',
    body: { type: FORM, schema: z.object({ token: z.string(), client_id: z.string() }) },
    answers: { 200: json('Revoked, or did not exist', z.object({})) },
  },
  {
    method: 'GET',
    path: '/api/oauth/requests/{id}',
    tag: TAG,
    caller: 'session',
    summary: 'Read what a client requests, and the organizations to choose from',
    answers: { 200: json('The request and the organizations to choose from', consentRequest) },
  },
  {
    method: 'POST',
    path: '/api/oauth/requests/{id}',
    tag: TAG,
    caller: 'session',
    summary: 'Approve or decline',
    body: { type: 'application/json', schema: consentAnswer },
    answers: { 200: json('Where the browser goes', z.object({ redirect: z.string() })) },
  },
  {
    method: 'GET',
    path: '/api/oauth/grants',
    tag: TAG,
    caller: 'session',
    summary: 'List the clients you have approved',
    query: z.object(page),
    answers: {
      200: json('The grants, newest first', z.object({ grants: z.array(grant), cursor: z.string().optional() })),
    },
  },
  {
    method: 'DELETE',
    path: '/api/oauth/grants/{id}',
    tag: TAG,
    caller: 'session',
    summary: "End a client's access; its tokens stop working immediately",
    answers: { 200: json('Ended', z.object({ ok: z.literal(true) })) },
  },
];
