import type { OAuthClient } from '../../identity/oauth-client.ts';

/** A registered client in the form of RFC 7591, with its metadata as stored, which may differ from what was sent. */
export function toRegistration(client: OAuthClient & { readonly issuedAt: Date }): Record<string, unknown> {
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
