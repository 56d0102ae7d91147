// What clients read first: the resource's authorization server (RFC 9728) and how it works (RFC 8414).
import { SCOPES } from '../../contract/tokens.ts';
import { GRANT_TYPES } from '../../identity/oauth/oauth-client.ts';
import { OFFLINE } from '../../identity/oauth/oauth-scopes.ts';

export const OAUTH_PATHS = {
  authorize: '/api/oauth/authorize',
  token: '/api/oauth/token',
  register: '/api/oauth/register',
  revoke: '/api/oauth/revoke',
} as const;

function resourceUrl(publicUrl: string): string {
  return `${publicUrl}/connect/mcp`;
}

/** A resource indicator (RFC 8707) that means this service: the MCP endpoint, or a URL above it. */
export function isOwnResource(resource: string, publicUrl: string): boolean {
  if (!URL.canParse(resource) || resource.includes('#')) return false;
  const given = new URL(resource).href.replace(/\/+$/, '');
  const own = new URL(publicUrl).href.replace(/\/+$/, '');
  return [own, `${own}/connect`, `${own}/connect/mcp`].includes(given);
}

/** Clients request every scope listed here by default, so it lists what the MCP endpoint needs. */
export function protectedResourceMetadata(publicUrl: string): Record<string, unknown> {
  return {
    resource: resourceUrl(publicUrl),
    authorization_servers: [publicUrl],
    scopes_supported: ['connect:read', 'connect:write'],
    bearer_methods_supported: ['header'],
    resource_name: 'Connected apps',
  };
}

export function authorizationServerMetadata(
  publicUrl: string,
  { clientDocuments = true }: { readonly clientDocuments?: boolean } = {},
): Record<string, unknown> {
  return {
    issuer: publicUrl,
    authorization_endpoint: `${publicUrl}${OAUTH_PATHS.authorize}`,
    token_endpoint: `${publicUrl}${OAUTH_PATHS.token}`,
    registration_endpoint: `${publicUrl}${OAUTH_PATHS.register}`,
    revocation_endpoint: `${publicUrl}${OAUTH_PATHS.revoke}`,
    scopes_supported: [...SCOPES, OFFLINE],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: [...GRANT_TYPES],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: clientDocuments,
    protected_resources: [resourceUrl(publicUrl)],
  };
}
