// Names of connections: how a supplied one is written, the implicit one, and the one that is kept for the agent registry.
import { AppError } from '../base/errors.ts';

export const DEFAULT_NAME = 'default';
/** Cloud accounts connected inside the agent registry: in no list, no capability, no tool. */
export const RESERVED_NAME = 'agent-registry';

const MAX_LENGTH = 64;

/** Trimmed, each run of whitespace one `-`, lower case; nothing becomes `default`. */
export function normalizeName(supplied: string | null | undefined): string {
  return (supplied ?? '').trim().replaceAll(/\s+/gu, '-').toLowerCase() || DEFAULT_NAME;
}

/** For a name that somebody gives now, as opposed to one that is looked up. */
export function checkName(supplied: string | null | undefined): string {
  const name = normalizeName(supplied);
  if (name.length > MAX_LENGTH)
    throw new AppError('invalid_request', { name: `must be at most ${MAX_LENGTH} characters long` });
  if (/\p{C}/u.test(name)) throw new AppError('invalid_request', { name: 'must hold no control characters' });
  return name;
}

/** `provider` or `provider:name`. */
export function parseSelector(selector: string): { provider: string; name: string } {
  const colon = selector.indexOf(':');
  if (colon < 0) return { provider: selector.trim(), name: DEFAULT_NAME };
  return { provider: selector.slice(0, colon).trim(), name: normalizeName(selector.slice(colon + 1)) };
}
