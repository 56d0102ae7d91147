// OAuth 2.1 for MCP clients, with the web server as authorization server. Nothing lives under /oauth: the gateway
// forwards that whole subtree to the integration provider.
import type { KeyObject } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import type { RouteCost } from '../../contract/route-cost.ts';
import { createClientDocuments } from '../../identity/oauth/client-documents.ts';
import { findSession } from '../../identity/sessions/find-session.ts';
import type { IdentitySettings } from '../../identity/identity-settings.ts';
import type { OAuthClient } from '../../identity/oauth/oauth-client.ts';
import type { OAuthDeps } from '../../identity/oauth/oauth-deps.ts';
import { OAuthError } from '../../identity/oauth/oauth-error.ts';
import { registerClient } from '../../identity/oauth/register-client.ts';
import { revokeToken } from '../../identity/oauth/revoke-token.ts';
import type { Database } from '../../store/database.ts';
import { createTokenVerifier } from '../../tenancy/tokens/verify-token.ts';
import { isForm, isTextFault, parseFields } from '../../base/parse-json.ts';
import type { AttemptName } from '../shell/admission/limits.ts';
import { type PlainRoutes, anonymousSender } from '../shell/plain-routes.ts';
import { authorize } from './authorize.ts';
import { mountPersonalRoutes } from './consent.ts';
import { authorizeFailure } from './fault-page.ts';
import { authorizationServerMetadata, OAUTH_PATHS, protectedResourceMetadata } from './metadata.ts';
import { describe, oauthFailure, oauthJson, oauthPreflight } from './oauth-response.ts';
import { required } from './parameters.ts';
import { tenancyTokens } from '../shell/tenancy-tokens.ts';
import { answerTokenRequest } from './token.ts';

export interface MountOAuthDeps {
  readonly db: Database;
  readonly log: Log;
  readonly clock: Clock;
  readonly settings: IdentitySettings;
  /** The HS256 key of connect tokens. */
  readonly key: KeyObject;
}

interface ClientEndpoint {
  readonly attempt?: AttemptName;
  readonly cost: RouteCost;
  readonly handle: (request: Request, body: Buffer) => Promise<Response> | Response;
  /** OAuth's error shape by default. */
  readonly fail?: typeof authorizeFailure;
}

export function mountOAuth(routes: PlainRoutes, deps: MountOAuthDeps): void {
  const oauth: OAuthDeps = { db: deps.db, clock: deps.clock, ...tenancyTokens(deps) };
  const endpoints = createClientEndpoints(routes, deps.log);
  mountMetadata(endpoints, deps.settings);
  mountClientEndpoints(endpoints, oauth, deps);
  mountPersonalRoutes(routes, oauth, deps);
}

interface ClientEndpoints {
  on(method: 'GET' | 'POST', path: string, endpoint: ClientEndpoint): void;
  preflight(path: string): void;
}

/** Endpoints that clients call: any origin, no cookie, errors in OAuth's shape. */
function createClientEndpoints(routes: PlainRoutes, log: Log): ClientEndpoints {
  return {
    on(method, path, { attempt, cost, handle, fail = (error) => oauthFailure(error, log) }) {
      routes.on({
        method,
        path,
        cost,
        ...(method === 'POST' ? { body: 'oauth' as const } : {}),
        attempt,
        identify: anonymousSender,
        handle: (c, _sender, body) => handle(c.req.raw, body),
        fail: (error, c) => fail(error, c.req.raw, log),
      });
    },
    preflight: (path) =>
      routes.on({ method: 'OPTIONS', path, cost: 'cheap', identify: anonymousSender, handle: () => oauthPreflight() }),
  };
}

function mountMetadata(endpoints: ClientEndpoints, settings: IdentitySettings): void {
  const { publicUrl } = settings;
  const METADATA = {
    '/.well-known/oauth-protected-resource': protectedResourceMetadata(publicUrl),
    '/.well-known/oauth-authorization-server': authorizationServerMetadata(publicUrl, settings),
    '/.well-known/openid-configuration': authorizationServerMetadata(publicUrl, settings),
  };
  for (const [path, document] of Object.entries(METADATA)) {
    // Clients append the path of the issuer or of the resource.
    for (const variant of [path, `${path}/*`]) {
      endpoints.on('GET', variant, {
        cost: 'cheap',
        handle: () => oauthJson(document, 200, { 'cache-control': 'public, max-age=300' }),
      });
      endpoints.preflight(variant);
    }
  }
}

function mountClientEndpoints(endpoints: ClientEndpoints, oauth: OAuthDeps, deps: MountOAuthDeps): void {
  const { db, clock } = deps;
  const { publicUrl } = deps.settings;
  const documents = createClientDocuments(deps.settings);
  const verifier = createTokenVerifier(deps.key, clock);
  for (const path of [OAUTH_PATHS.register, OAUTH_PATHS.token, OAUTH_PATHS.revoke]) endpoints.preflight(path);

  endpoints.on('POST', OAUTH_PATHS.register, {
    attempt: 'oauth-register',
    cost: 'database',
    handle: async (request, body) =>
      oauthJson(toRegistration(await registerClient(deps, readMetadata(request, body))), 201),
  });

  endpoints.on('GET', OAUTH_PATHS.authorize, {
    attempt: 'oauth-authorize',
    // The client's metadata document may have to be fetched.
    cost: 'provider',
    async handle(request) {
      const signedIn = (await findSession(deps, request.headers)) !== undefined;
      const location = await authorize(
        { db, clock, documents, publicUrl },
        new URL(request.url).searchParams,
        signedIn,
      );
      return new Response(null, {
        status: 302,
        headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
      });
    },
    fail: authorizeFailure,
  });

  endpoints.on('POST', OAUTH_PATHS.token, {
    attempt: 'oauth-token',
    cost: 'database',
    handle: async (request, body) =>
      oauthJson(await answerTokenRequest(oauth, readForm(request, body), publicUrl), 200, { pragma: 'no-cache' }),
  });

  endpoints.on('POST', OAUTH_PATHS.revoke, {
    attempt: 'oauth-token',
    cost: 'database',
    async handle(request, body) {
      const form = readForm(request, body);
      const [token, clientId] = [required(form, 'token'), required(form, 'client_id')];
      const tokenId = (await verifier.verify(token))?.tokenId;
      await revokeToken(oauth, tokenId === undefined ? { refreshToken: token, clientId } : { tokenId, clientId });
      return oauthJson({});
    },
  });
}

function readForm({ headers }: Request, body: Buffer): URLSearchParams {
  if (!isForm(headers.get('content-type')))
    throw new OAuthError('invalid_request', 'The body must be application/x-www-form-urlencoded.');
  return new URLSearchParams(body.toString('utf8'));
}

/** Metadata with malformed text is `invalid_client_metadata` in the terms of RFC 7591. */
function readMetadata({ headers }: Request, body: Buffer): unknown {
  try {
    return parseFields(body, headers.get('content-type'));
  } catch (error) {
    throw error instanceof AppError && isTextFault(error)
      ? new OAuthError('invalid_client_metadata', describe(error))
      : error;
  }
}

/** A registered client in the form of RFC 7591, with its metadata as stored, which may differ from what was sent. */
function toRegistration(client: OAuthClient & { readonly issuedAt: Date }): Record<string, unknown> {
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(client.issuedAt.getTime() / 1000),
    client_name: client.name,
    ...(client.uri === undefined ? {} : { client_uri: client.uri }),
    application_type: client.applicationType,
    redirect_uris: client.redirectUris,
    grant_types: client.grantTypes,
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}
