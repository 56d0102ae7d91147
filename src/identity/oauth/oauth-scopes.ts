import { SCOPES, type Scope } from '../../contract/tokens.ts';
import { OAuthError } from './oauth-error.ts';

/** Requests a refresh token; it is not a permission and never becomes part of a connect token. */
export const OFFLINE = 'offline_access';
const DEFAULT_SCOPES: readonly Scope[] = ['connect:read'];

export interface AskedScopes {
  readonly scopes: Scope[];
  readonly offline: boolean;
}

/**
 * The known scopes among those requested. Unknown ones are ignored, as RFC 6749 allows; if all are unknown, it refuses.
 */
export function parseScopes(text: string | undefined): AskedScopes {
  const asked = new Set((text ?? '').split(' ').filter((word) => word !== ''));
  const offline = asked.delete(OFFLINE);
  const scopes = SCOPES.filter((scope) => asked.has(scope));
  if (scopes.length > 0) return { scopes, offline };
  if (asked.size > 0)
    throw new OAuthError('invalid_scope', `None of the requested scopes exists. Ask for some of: ${SCOPES.join(' ')}.`);
  return { scopes: [...DEFAULT_SCOPES], offline };
}

/** `asked` if every scope in it was granted; otherwise undefined. */
export function narrowScopes(granted: readonly Scope[], asked: readonly string[]): Scope[] | undefined {
  const narrowed = granted.filter((scope) => asked.includes(scope));
  return asked.every((scope) => narrowed.some((kept) => kept === scope)) && narrowed.length > 0 ? narrowed : undefined;
}
