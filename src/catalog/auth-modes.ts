// Authorization modes, as named by the integration provider. A credential-only mode needs no application registered
// upstream, so its integration may be created on first use; OAuth integrations are never created automatically. OAuth
// modes without an operator's application (users bring their own client, or one is registered dynamically) need no
// credentials at the provider either: the operator creates them with `servicectl integrations reconcile --apply`.
export const AUTH_MODES = {
  API_KEY: { credentialOnly: true, application: false, says: 'API key or personal access token' },
  BASIC: { credentialOnly: true, application: false, says: 'user name and password, or access keys' },
  OAUTH1: { credentialOnly: false, application: true, says: 'OAuth 1.0a' },
  OAUTH2: { credentialOnly: false, application: true, says: 'OAuth 2.0' },
  OAUTH2_CC: { credentialOnly: false, application: false, says: 'OAuth 2.0 client credentials' },
  MCP_OAUTH2: { credentialOnly: false, application: false, says: "OAuth 2.0 of the provider's MCP server" },
} as const satisfies Record<string, { credentialOnly: boolean; application: boolean; says: string }>;

export type AuthMode = keyof typeof AUTH_MODES;

interface Authorized {
  readonly auth: { readonly mode: AuthMode };
}

export function isCredentialOnly({ auth }: Authorized): boolean {
  return AUTH_MODES[auth.mode].credentialOnly;
}

/** Whether the integration uses an application that the operator registered with the app. */
export function needsApplication({ auth }: Authorized): boolean {
  return AUTH_MODES[auth.mode].application;
}
