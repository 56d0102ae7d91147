import { AppError } from '../../base/errors.ts';
import type { Caller } from '../../tenancy/find-caller.ts';

/** A token that may write may read. One without any connect scope may do neither. */
export function requireConnectScope({ scopes }: Pick<Caller, 'scopes'>, scope: 'connect:read' | 'connect:write'): void {
  if (!scopes.has(scope) && !scopes.has('connect:write')) throw new AppError('insufficient_scope', { scope });
}
