// Authorization modes as the integration provider names them. A credential-only mode needs no application
// registered upstream, so its integration may be created on first use; OAuth integrations are never synthesised.
export const AUTH_MODES = {
  API_KEY: { credentialOnly: true, says: 'API key or personal access token' },
  BASIC: { credentialOnly: true, says: 'user name and password, or access keys' },
  OAUTH1: { credentialOnly: false, says: 'OAuth 1.0a' },
  OAUTH2: { credentialOnly: false, says: 'OAuth 2.0' },
  OAUTH2_CC: { credentialOnly: false, says: 'OAuth 2.0 client credentials' },
  MCP_OAUTH2: { credentialOnly: false, says: "OAuth 2.0 of the provider's MCP server" },
} as const satisfies Record<string, { credentialOnly: boolean; says: string }>;

export type AuthMode = keyof typeof AUTH_MODES;

export function isCredentialOnly(connector: { readonly auth: { readonly mode: AuthMode } }): boolean {
  return AUTH_MODES[connector.auth.mode].credentialOnly;
}
