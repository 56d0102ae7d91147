// Selected repositories of a code host. When enforced, a call is refused unless it names one of them in a form that
// can be compared.
import { AppError } from '../base/errors.ts';
import type { Connector } from '../catalog/connector-types.ts';
import type { RepositoryPolicy } from '../connections/policy.ts';
import { parseResourcePath } from './parse-resource-path.ts';
import type { Arguments } from './provider-call.ts';

/** How calls to each code host name their repository. */
const REPOSITORY_OF: Readonly<Record<string, (given: Arguments) => string | undefined>> = {
  github: ({ owner, repo }) => (isSegment(owner) && isSegment(repo) ? `${owner}/${repo}` : undefined),
  gitlab: ({ id }) => (typeof id === 'string' && id.includes('/') ? id : undefined),
  bitbucket: ({ path }) => {
    const parsed = typeof path === 'string' ? parseResourcePath(path) : undefined;
    if (!parsed?.ok) return undefined;
    const [version, collection, owner, repo] = parsed.value.segments;
    return version === '2.0' && collection === 'repositories' && isSegment(owner) && isSegment(repo)
      ? `${owner}/${repo}`
      : undefined;
  },
};

/** Throws `repository_not_selected`. */
export function checkRepository(
  { id, codeHost }: Pick<Connector, 'id' | 'codeHost'>,
  { enforce, selected }: RepositoryPolicy,
  given: unknown,
): void {
  if (codeHost !== true || !enforce) return;
  const nameOf = Object.hasOwn(REPOSITORY_OF, id) ? REPOSITORY_OF[id] : undefined;
  const named = typeof given === 'object' && given !== null ? nameOf?.(given as Arguments)?.toLowerCase() : undefined;
  if (named === undefined || !selected.some((name) => name.toLowerCase() === named))
    throw new AppError('repository_not_selected');
}

function isSegment(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !value.includes('/');
}
