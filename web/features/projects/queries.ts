// Reads of projects.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { byCursor, pageAt } from '../../api/by-cursor.ts';
import { api, client } from '../../api/client.ts';

export function projectsQuery(organization: string, search = '') {
  return infiniteQueryOptions({
    queryKey: [...api.projects.list.key(), organization, search],
    queryFn: ({ pageParam, signal }) =>
      client.projects.list({ organization, ...(search === '' ? {} : { search }), ...pageAt(pageParam) }, { signal }),
    ...byCursor,
  });
}

/** The longest page. */
const IN_WORKSPACE = 200;

/** The latest projects of a workspace. */
export function workspaceProjectsQuery(organization: string, workspace: string) {
  return queryOptions({
    queryKey: [...api.projects.list.key(), organization, 'workspace', workspace],
    queryFn: async ({ signal }) =>
      (await client.projects.list({ organization, workspace, limit: IN_WORKSPACE }, { signal })).projects,
  });
}

export function projectQuery(project: string) {
  return queryOptions({
    queryKey: [...api.projects.show.key(), project],
    queryFn: async ({ signal }) => (await client.projects.show({ project }, { signal })).project,
  });
}

export function filesQuery(project: string) {
  return infiniteQueryOptions({
    queryKey: [...api.projects.files.list.key(), project],
    queryFn: ({ pageParam, signal }) => client.projects.files.list({ project, ...pageAt(pageParam) }, { signal }),
    ...byCursor,
  });
}

/** The person's own chats in a project. */
export function projectThreadsQuery(organization: string, project: string) {
  return infiniteQueryOptions({
    queryKey: [...api.threads.list.key(), organization, 'project', project],
    queryFn: ({ pageParam, signal }) =>
      client.threads.list({ organization, project, ...pageAt(pageParam) }, { signal }),
    ...byCursor,
  });
}
