// How each code host is asked for a pull request: where, with which header, and what its answer says. The requests are made
// in the sandbox that pushes, through a broker that allows nothing else.
import { CODE_HOSTS } from '../clients/code-hosts.ts';

export interface PullRequest {
  readonly branch: string;
  readonly target: string;
  readonly title: string;
  readonly text: string;
}

interface ApiRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
}

export interface PullRequestApi {
  /** The host of the API. */
  readonly host: string;
  readonly authorization: (token: string) => string;
  readonly paths: readonly string[];
  /** Asked first, where the host knows a repository by a number. */
  readonly find?: ApiRequest;
  readonly create: (request: PullRequest, found: unknown) => ApiRequest | undefined;
  readonly address: (answer: unknown) => unknown;
}

type Open = (host: string, repository: string) => PullRequestApi;

const get = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined),
    value,
  );

/** By connector. */
const APIS: Readonly<Record<string, Open>> = {
  github(host, repository) {
    const own = host === CODE_HOSTS['github']?.host;
    const path = `${own ? '' : '/api/v3'}/repos/${repository}/pulls`;
    return {
      host: own ? 'api.github.com' : host,
      authorization: (token) => `token ${token}`,
      paths: [`POST ${path}`],
      create: ({ branch, target, title, text }) => ({
        method: 'POST',
        path,
        body: { title, head: branch, base: target, body: text },
      }),
      address: (answer) => get(answer, 'html_url'),
    };
  },
  gitlab(host, repository) {
    const search = new URLSearchParams({
      simple: 'true',
      membership: 'true',
      per_page: '50',
      search: repository.split('/').at(-1) ?? '',
    });
    return {
      host,
      authorization: (token) => `Bearer ${token}`,
      paths: ['GET /api/v4/projects', 'POST /api/v4/projects/*/merge_requests'],
      find: { method: 'GET', path: `/api/v4/projects?${search}` },
      create({ branch, target, title, text }, found) {
        const projects: readonly unknown[] = Array.isArray(found) ? found : [];
        const id = get(
          projects.find((project) => get(project, 'path_with_namespace') === repository),
          'id',
        );
        if (typeof id !== 'number') return undefined;
        return {
          method: 'POST',
          path: `/api/v4/projects/${id}/merge_requests`,
          body: { source_branch: branch, target_branch: target, title, description: text },
        };
      },
      address: (answer) => get(answer, 'web_url'),
    };
  },
  bitbucket(_host, repository) {
    const path = `/2.0/repositories/${repository}/pullrequests`;
    return {
      host: 'api.bitbucket.org',
      authorization: (token) => `Bearer ${token}`,
      paths: [`POST ${path}`],
      create: ({ branch, target, title, text }) => ({
        method: 'POST',
        path,
        body: {
          title,
          description: text,
          source: { branch: { name: branch } },
          destination: { branch: { name: target } },
        },
      }),
      address: (answer) => get(answer, 'links', 'html', 'href'),
    };
  },
};

export function openPullRequestApi(provider: string, host: string, repository: string): PullRequestApi | undefined {
  return Object.hasOwn(APIS, provider) ? APIS[provider]?.(host, repository) : undefined;
}
