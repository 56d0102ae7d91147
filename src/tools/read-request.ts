import { AppError } from '../base/errors.ts';
import { toPairs } from './map-arguments.ts';
import { parseResourcePath } from './parse-resource-path.ts';
import type { ProviderRequest } from './provider-request.ts';

const MAX_PAIRS = 10_000;

/** Arguments of `read-provider-resource`, which its schema has checked, as a GET. Throws `invalid_request`. */
export function readRequest(given: Readonly<Record<string, unknown>>): ProviderRequest {
  const parsed = parseResourcePath(String(given['path']));
  if (!parsed.ok) throw new AppError('invalid_request', { 'arguments.path': parsed.fault });
  const query = [
    ...parsed.value.query,
    ...Object.entries(given['query'] ?? {}).flatMap(([name, value]) => toPairs(name, value, `query.${name}`)),
  ];
  if (query.length > MAX_PAIRS)
    throw new AppError('invalid_request', { 'arguments.query': `must have at most ${MAX_PAIRS} values` });
  return { method: 'GET', path: parsed.value.path, query };
}
