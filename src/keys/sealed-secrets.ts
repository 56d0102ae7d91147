// How stored keys are sealed and opened. A sealed secret is bound to the row that holds it, so sealing and opening must
// use exactly the same context.
import { AppError } from '../base/errors.ts';
import { type Sealed, unseal } from '../base/seal.ts';

export interface KeyAddress {
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly provider: string;
}

export function providerKeyContext({ organizationId, workspaceId, provider }: KeyAddress): readonly string[] {
  return ['org_provider_api_key', organizationId, workspaceId, provider];
}

export interface AccountAddress extends Omit<KeyAddress, 'provider'> {
  readonly id: string;
}

export function modelsAccountContext({ organizationId, workspaceId, id }: AccountAddress): readonly string[] {
  return ['models_account', organizationId, workspaceId, id];
}

export function requireWrappingKey({ wrappingKey }: { readonly wrappingKey: Buffer | undefined }): Buffer {
  if (!wrappingKey) throw new AppError('provider_keys_not_configured');
  return wrappingKey;
}

/** The secret, or undefined if it cannot be opened with the current wrapping key. */
export type OpenSealed = (sealed: Sealed, context: readonly string[]) => string | undefined;

const LIFETIME_MS = 30_000;

/**
 * Opening a secret costs more than the rest of the decisions about a request, so the result is cached briefly. The cache
 * is keyed by the row object that was read, not by its address: a row that is read again is opened again, and entries are
 * collected together with their rows.
 */
export function createSecretCache(wrappingKey: Buffer | undefined, now: () => number = Date.now): OpenSealed {
  const opened = new WeakMap<Sealed, { readonly secret: string; readonly until: number }>();
  return (sealed, context) => {
    if (wrappingKey === undefined) return undefined;
    const known = opened.get(sealed);
    if (known && known.until > now()) return known.secret;
    const secret = unseal(wrappingKey, sealed, context);
    if (secret === undefined) opened.delete(sealed);
    else opened.set(sealed, { secret, until: now() + LIFETIME_MS });
    return secret;
  };
}
