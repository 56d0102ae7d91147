// Identity, and OAuth for MCP clients.
import { z } from 'zod';
import { page } from '../../contract/common.ts';
import { SIGN_IN_OPTIONS_PATH, signInOptions } from '../../contract/sign-in-options.ts';
import { AUTH_PATH } from '../../identity/create-auth.ts';
import { consentAnswer } from '../oauth/consent.ts';
import { OAUTH_PATHS } from '../oauth/metadata.ts';
import { AUTH_ROUTES } from '../web/auth-routes.ts';
import { type DescribedRoute, json } from './described-route.ts';

const TAG = 'OAuth';
const FORM = 'application/x-www-form-urlencoded';
const METADATA = [
  ['/.well-known/oauth-protected-resource', 'Protected-resource metadata (RFC 9728); also with /connect/mcp appended'],
  ['/.well-known/oauth-authorization-server', 'Authorization-server metadata (RFC 8414)'],
  ['/.well-known/openid-configuration', 'The same, where OpenID clients look'],
] as const;
const tokens = z.object({ access_token: z.string(), token_type: z.literal('Bearer'), expires_in: z.number().int(), scope: z.string(), refresh_token: z.string().optional() });
const grant = z.object({ id: z.string(), client: z.object({ id: z.string(), name: z.string() }), organization: z.string(), workspace: z.string().optional(), scopes: z.array(z.string()), createdAt: z.string(), usedAt: z.string() });

const authRoutes = Object.entries(AUTH_ROUTES).map(([key, { summary, query, body, signedIn }]): DescribedRoute => {
  const [method, path] = key.split(' ') as ['GET' | 'POST', string];
  return {
    method, path: `${AUTH_PATH}${path}`, tag: 'Identity', summary, caller: signedIn ? 'session' : 'nobody',
    ...(query ? { query } : {}),
    ...(body ? { body: { type: 'application/json', schema: body } } : {}),
    answers: { 200: json('Done') },
  };
});

export const IDENTITY_ROUTES: readonly DescribedRoute[] = [
  ...authRoutes,
  { method: 'GET', path: SIGN_IN_OPTIONS_PATH, tag: 'Identity', caller: 'nobody', summary: 'Who may make an account here', answers: { 200: json('The options', signInOptions) } },
  ...METADATA.map(([path, summary]): DescribedRoute => ({ method: 'GET', path, tag: TAG, summary, caller: 'nobody', answers: { 200: json('The metadata') }, failure: 'OAuthError' })),
  {
    method: 'POST', path: OAUTH_PATHS.register, tag: TAG, caller: 'nobody', summary: 'Register a client (RFC 7591); every client is public', failure: 'OAuthError',
    body: { type: 'application/json', schema: z.looseObject({ redirect_uris: z.array(z.string()), client_name: z.string().optional(), grant_types: z.array(z.string()).optional() }) },
    answers: { 201: json('The client as it was taken') },
  },
  {
    method: 'GET', path: OAUTH_PATHS.authorize, tag: TAG, caller: 'nobody', summary: 'Begin: leads the browser to sign-in and consent', failure: 'OAuthError',
    query: z.object({ response_type: z.literal('code'), client_id: z.string(), redirect_uri: z.string().optional(), code_challenge: z.string(), code_challenge_method: z.literal('S256'), scope: z.string().optional(), state: z.string().optional(), resource: z.string().optional() }),
    answers: { 302: { text: 'To the consent page, also with a request that cannot be met: the person is told who asks before the client hears of it', headers: { location: 'Where to.' } } },
  },
  {
    method: 'POST', path: OAUTH_PATHS.token, tag: TAG, caller: 'nobody', summary: 'Exchange a code or a refresh token for a connect token', failure: 'OAuthError',
    body: {
      type: FORM,
      schema: z.object({ grant_type: z.enum(['authorization_code', 'refresh_token']), client_id: z.string(), code: z.string().optional(), code_verifier: z.string().optional(), redirect_uri: z.string().optional(), refresh_token: z.string().optional(), scope: z.string().optional(), resource: z.string().optional() }),
    },
    answers: { 200: json('The tokens', tokens) },
  },
  {
    method: 'POST', path: OAUTH_PATHS.revoke, tag: TAG, caller: 'nobody', summary: 'Revoke a token (RFC 7009)', failure: 'OAuthError',
    body: { type: FORM, schema: z.object({ token: z.string(), client_id: z.string() }) },
    answers: { 200: json('Revoked, or never there') },
  },
  { method: 'GET', path: '/api/oauth/requests/{id}', tag: TAG, caller: 'session', summary: 'What a client asks for, and where one may let it in', answers: { 200: json('The request and the organizations to choose from') } },
  {
    method: 'POST', path: '/api/oauth/requests/{id}', tag: TAG, caller: 'session', summary: 'Approve or decline',
    body: { type: 'application/json', schema: consentAnswer },
    answers: { 200: json('Where the browser goes', z.object({ redirect: z.string() })) },
  },
  { method: 'GET', path: '/api/oauth/grants', tag: TAG, caller: 'session', summary: 'The clients that one has approved', query: z.object(page), answers: { 200: json('The grants, newest first', z.object({ grants: z.array(grant), cursor: z.string().optional() })) } },
  { method: 'DELETE', path: '/api/oauth/grants/{id}', tag: TAG, caller: 'session', summary: "End a client's access; its tokens stop at once", answers: { 200: json('Ended', z.object({ ok: z.literal(true) })) } },
];
