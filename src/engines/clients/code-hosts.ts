// What a run may request from a code host through its brokers: reads only, and only of the selected repositories if the
// selection is enforced. Writes go through the workspace's tools, where each action has to be enabled.
import type { RepositoryPolicy } from '../../connections/policy.ts';

interface CodeHost {
  readonly host: string;
  /** The user name for basic authentication with a token. */
  readonly user: string;
}

/** By connector. */
export const CODE_HOSTS: Readonly<Record<string, CodeHost>> = {
  github: { host: 'github.com', user: 'x-access-token' },
  gitlab: { host: 'gitlab.com', user: 'oauth2' },
  bitbucket: { host: 'bitbucket.org', user: 'x-token-auth' },
};

/** Groups may be nested. */
const DEEPEST = 5;
const MOST_REPOSITORIES = 60;

export function gitPaths({ enforce, selected }: RepositoryPolicy): string[] {
  const open = (repository: string): string[] => [
    `GET /${repository}/info/refs`,
    `POST /${repository}/git-upload-pack`,
  ];
  if (enforce) return selectable(selected).flatMap((repository) => [...open(repository), ...open(`${repository}.git`)]);
  return Array.from({ length: DEEPEST - 1 }, (_, index) =>
    Array.from({ length: index + 2 }, () => '*').join('/'),
  ).flatMap(open);
}

export interface ApiPaths {
  readonly paths: string[];
  /** Where a POST may only contain a GraphQL query. */
  readonly queries: string[];
}

/** The API of github.com has its own host; elsewhere it is under /api. */
export function githubApiPaths(host: string, { enforce, selected }: RepositoryPolicy): ApiPaths {
  const own = host === CODE_HOSTS['github']?.host;
  const root = own ? '' : '/api/v3';
  if (enforce)
    return {
      paths: selectable(selected).flatMap((repository) => [
        `GET ${root}/repos/${repository}`,
        `GET ${root}/repos/${repository}/*`,
      ]),
      queries: [],
    };
  // A GraphQL query names what it reads in its body, which path rules cannot check.
  return { paths: [`GET ${root}/*`], queries: [own ? '/graphql' : '/api/graphql'] };
}

export function githubApiHost(host: string): string {
  return host === CODE_HOSTS['github']?.host ? 'api.github.com' : host;
}

/** Names that are safe in a path; anything else is not a repository. */
function selectable(selected: readonly string[]): string[] {
  return selected
    .filter((repository) => /^[\w.-]+(?:\/[\w.-]+)+$/.test(repository) && !/(?:^|\/)\.{1,2}(?:\/|$)/.test(repository))
    .slice(0, MOST_REPOSITORIES);
}
