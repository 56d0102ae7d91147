// Finds the caller behind a connect token. For `/connect`, `/v1` and `/runtime`.
import { readAuthorization, readHeader, type RequestHeaders } from '../../net/authorization.ts';
import { AppError } from '../../base/errors.ts';
import { noteRequest } from '../../telemetry/request-scope.ts';
import type { Scope } from '../../contract/tokens.ts';
import type { Queryable } from '../../store/database.ts';
import { type Caller, findCaller } from '../../tenancy/tokens/find-caller.ts';
import { refusePaused } from '../../tenancy/members/refuse-paused.ts';
import type { TokenVerifier } from '../../tenancy/tokens/verify-token.ts';

export interface TokenAuthentication {
  readonly db: Queryable;
  readonly verifier: TokenVerifier;
}

/**
 * Throws `unauthenticated` for a token that is missing, invalid, expired or revoked, without saying which, and
 * `organization_paused`.
 */
export async function authenticateToken(
  { db, verifier }: TokenAuthentication,
  headers: RequestHeaders,
): Promise<Caller> {
  const token = readToken(headers);
  const claims = token === undefined ? undefined : await verifier.verify(token);
  noteRequest({ organization: claims?.organizationId });
  const caller = claims && (await findCaller(db, claims));
  if (!caller) throw new AppError('unauthenticated');
  if (!caller.membership) await refusePaused(db, caller);
  return caller;
}

/** `Authorization: Bearer …`, or `x-api-key`, as clients of Anthropic's API send it. */
export function readToken(headers: RequestHeaders): string | undefined {
  const authorization = readAuthorization(headers);
  if (authorization.kind === 'absent') return readHeader(headers, 'x-api-key')?.trim() || undefined;
  return authorization.kind === 'bearer' ? authorization.token : undefined;
}

/** A token that may write connections may read them. */
const IMPLIED_BY: Readonly<Partial<Record<Scope, Scope>>> = { 'connect:read': 'connect:write' };

export function requireScope({ scopes }: Pick<Caller, 'scopes'>, scope: Scope): void {
  const implying = IMPLIED_BY[scope];
  if (!scopes.has(scope) && !(implying && scopes.has(implying))) throw new AppError('insufficient_scope', { scope });
}
