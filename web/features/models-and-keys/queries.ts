// Reads of the organization's settings.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, client } from '../../api/client.ts';

const PAGE_SIZE = 50;

/** Where a key is kept: a workspace, or `global` for the organization-wide scope. */
export interface KeyScope {
  readonly organization: string;
  readonly workspace: string;
}

export function policyQuery(org: string) {
  return queryOptions({
    queryKey: [...api.policy.show.key(), org],
    queryFn: ({ signal }) => client.policy.show({ org }, { signal }),
  });
}

export function providerKeysQuery({ organization, workspace }: KeyScope) {
  return queryOptions({
    queryKey: [...api.providerKeys.list.key(), organization, workspace],
    queryFn: async ({ signal }) => (await client.providerKeys.list({ organization, workspace }, { signal })).providers,
  });
}

/** A workspace's account, or the organization's. */
export type AccountScope = { readonly ws: string } | { readonly org: string };

export function modelsAccountQuery(scope: AccountScope) {
  return queryOptions({
    queryKey: [...api.modelsAccount.key(), scope],
    queryFn: ({ signal }) =>
      'org' in scope
        ? client.modelsAccount.organization.show(scope, { signal })
        : client.modelsAccount.show(scope, { signal }),
  });
}

/** All there are, whatever they do: a policy is about each. */
export function organizationModelsQuery(organization: string) {
  return queryOptions({
    queryKey: [...api.models.list.key(), 'organization', organization],
    queryFn: async ({ signal }) =>
      (
        await Promise.all(
          (['chat', 'embedding'] as const).map((modality) =>
            client.models.list({ organization, modality }, { signal }),
          ),
        )
      ).flatMap(({ models }) => models),
  });
}

export function usageQuery(org: string, days: number) {
  return queryOptions({
    queryKey: [...api.usage.show.key(), org, days],
    queryFn: ({ signal }) => client.usage.show({ org, days }, { signal }),
  });
}

export function guardrailsQuery(org: string) {
  return infiniteQueryOptions({
    queryKey: [...api.guardrails.list.key(), org],
    queryFn: ({ pageParam, signal }) =>
      client.guardrails.list(
        { org, limit: PAGE_SIZE, ...(pageParam === undefined ? {} : { cursor: pageParam }) },
        { signal },
      ),
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
      client.guardrails.versions.list(
        { org, guardrail, limit: PAGE_SIZE, ...(pageParam === undefined ? {} : { cursor: pageParam }) },
        { signal },
      ),
    ...byCursor,
  });
}

const byCursor = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last: { cursor?: string | undefined }) => last.cursor,
};
