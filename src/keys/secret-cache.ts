// Opening a sealed secret costs more than everything else that is decided about a request, so what was opened is
// remembered for a moment. It is remembered by the row that was read, not by its address: a row that is read again,
// after a change or when a context ends, is opened again, and what nobody holds any more is forgotten with it.
import { type Sealed, unseal } from '../base/seal.ts';

/** The secret, or undefined when it does not open with the wrapping key in use. */
export type OpenSealed = (sealed: Sealed, context: readonly string[]) => string | undefined;

const LIFETIME_MS = 30_000;

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
