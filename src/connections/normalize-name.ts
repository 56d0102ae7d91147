// Connection names: how a given name is normalised, the default name, and the one reserved for the agent registry.
import { AppError } from '../base/errors.ts';

export const DEFAULT_NAME = 'default';
/** Cloud accounts connected within the agent registry: not listed, and without capabilities or tools. */
export const RESERVED_NAME = 'agent-registry';

const MAX_LENGTH = 64;

/** Trimmed, whitespace replaced by `-`, lower case; an empty name becomes `default`. */
export function normalizeName(supplied: string | null | undefined): string {
  return (supplied ?? '').trim().replaceAll(/\s+/gu, '-').toLowerCase() || DEFAULT_NAME;
}

/** For a new name; a name that is only looked up is not checked. */
export function checkName(supplied: string | null | undefined): string {
  const name = normalizeName(supplied);
  if (name.length > MAX_LENGTH)
    throw new AppError('invalid_request', { name: `must be at most ${MAX_LENGTH} characters long` });
  if (/\p{C}/u.test(name)) throw new AppError('invalid_request', { name: 'must not contain control characters' });
  return name;
}

/** `provider` or `provider:name`. */
export function parseSelector(selector: string): { provider: string; name: string } {
  const colon = selector.indexOf(':');
  if (colon < 0) return { provider: selector.trim(), name: DEFAULT_NAME };
  return { provider: selector.slice(0, colon).trim(), name: normalizeName(selector.slice(colon + 1)) };
}
