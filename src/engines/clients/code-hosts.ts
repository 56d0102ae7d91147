// What a run may ask of a code host through its brokers: to read, and of the selected repositories only where they are
// enforced. Nothing that writes is open: writes go through the workspace's tools, where each has to be enabled.
import type { RepositoryPolicy } from '../../connections/policy.ts';

interface CodeHost {
  readonly host: string;
  /** The name that goes with a token in basic authentication. */
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
  /** Where a POST may only hold a GraphQL query. */
  readonly queries: string[];
}

/** GitHub's own API is at a host of its own; elsewhere it is beneath /api. */
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
  // A query names what it reads in its text, where no rule about paths can see it.
  return { paths: [`GET ${root}/*`], queries: [own ? '/graphql' : '/api/graphql'] };
}

export function githubApiHost(host: string): string {
  return host === CODE_HOSTS['github']?.host ? 'api.github.com' : host;
}

/** As they can stand in a path; a name with anything else in it is no repository. */
function selectable(selected: readonly string[]): string[] {
  return selected
    .filter((repository) => /^[\w.-]+(?:\/[\w.-]+)+$/.test(repository) && !/(?:^|\/)\.{1,2}(?:\/|$)/.test(repository))
    .slice(0, MOST_REPOSITORIES);
}
