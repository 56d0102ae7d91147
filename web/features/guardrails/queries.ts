import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { byCursor, pageAt } from '../../api/by-cursor.ts';
import { api, client } from '../../api/client.ts';

export function guardrailsQuery(org: string) {
  return infiniteQueryOptions({
    queryKey: [...api.guardrails.list.key(), org],
    queryFn: ({ pageParam, signal }) => client.guardrails.list({ org, ...pageAt(pageParam) }, { signal }),
    ...byCursor,
  });
}

export function guardrailQuery(org: string, guardrail: string, version: number | undefined) {
  return queryOptions({
    queryKey: [...api.guardrails.show.key(), org, guardrail, version],
    queryFn: async ({ signal }) =>
      (await client.guardrails.show({ org, guardrail, ...(version === undefined ? {} : { version }) }, { signal }))
        .group,
  });
}

export function guardrailVersionsQuery(org: string, guardrail: string) {
  return infiniteQueryOptions({
    queryKey: [...api.guardrails.versions.list.key(), org, guardrail],
    queryFn: ({ pageParam, signal }) =>
      client.guardrails.versions.list({ org, guardrail, ...pageAt(pageParam) }, { signal }),
    ...byCursor,
  });
}
