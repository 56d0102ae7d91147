// What a sealed secret is bound to: the row that holds it. Sealing and opening must agree on these to the letter.

export interface KeyAddress {
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly provider: string;
}

export function providerKeyContext({ organizationId, workspaceId, provider }: KeyAddress): readonly string[] {
  return ['org_provider_api_key', organizationId, workspaceId, provider];
}

export function modelsAccountContext({ organizationId, workspaceId }: Omit<KeyAddress, 'provider'>): readonly string[] {
  return ['models_account', organizationId, workspaceId];
}
