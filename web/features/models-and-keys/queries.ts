// Queries for provider keys, Models accounts and models.
import type { WorkspaceNames } from '../../api/workspace-names.ts';
import { queryOptions } from '@tanstack/react-query';
import type { ModelsAccountInput, ShownAccount } from '../../../src/contract/models-account.ts';
import type { ProviderKeyState } from '../../../src/contract/provider-keys.ts';
import { api, client } from '../../api/client.ts';

/** Where a key is stored: a workspace, or `global` for the organization-wide scope. */
export function providerKeysQuery({ organization, workspace }: WorkspaceNames) {
  return queryOptions({
    queryKey: [...api.providerKeys.list.key(), organization, workspace],
    queryFn: async ({ signal }) => (await client.providerKeys.list({ organization, workspace }, { signal })).providers,
  });
}

/** The keys that pages show: of the providers that chat can use a key for and that have a card. */
export function shownKeys(keys: readonly ProviderKeyState[]): ProviderKeyState[] {
  return keys.filter(({ executable, hasCard }) => executable && hasCard);
}

/** Where Models accounts are stored: a workspace, or the organization. */
export type AccountScope = { readonly ws: string } | { readonly org: string };

interface AccountCalls {
  list(options?: { signal: AbortSignal }): Promise<ShownAccount[]>;
  create(input: ModelsAccountInput): Promise<unknown>;
  save(account: string, input: ModelsAccountInput): Promise<unknown>;
  order(order: string[]): Promise<ShownAccount[]>;
  remove(account: string): Promise<unknown>;
}

export function accountsAt(scope: AccountScope): AccountCalls {
  if ('org' in scope) {
    const { accounts } = client.modelsAccount.organization;
    return {
      list: async (options) => (await accounts.list(scope, options)).accounts,
      create: (input) => accounts.create({ ...scope, ...input }),
      save: (account, input) => accounts.save({ ...scope, account, ...input }),
      order: async (order) => (await accounts.order({ ...scope, order })).accounts,
      remove: (account) => accounts.remove({ ...scope, account }),
    };
  }
  const { accounts } = client.modelsAccount;
  return {
    list: async (options) => (await accounts.list(scope, options)).accounts,
    create: (input) => accounts.create({ ...scope, ...input }),
    save: (account, input) => accounts.save({ ...scope, account, ...input }),
    order: async (order) => (await accounts.order({ ...scope, order })).accounts,
    remove: (account) => accounts.remove({ ...scope, account }),
  };
}

export function modelsAccountsQuery(scope: AccountScope) {
  return queryOptions({
    queryKey: [...api.modelsAccount.key(), scope],
    queryFn: ({ signal }) => accountsAt(scope).list({ signal }),
  });
}

export function routesQuery(organization: string) {
  return queryOptions({
    queryKey: [...api.routes.list.key(), organization],
    queryFn: async ({ signal }) => (await client.routes.list({ org: organization }, { signal })).routes,
  });
}

/** All models of every modality, because the policy covers them all. */
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
      )
        .flatMap(({ models }) => models)
        // A route is no model of its own: the policy covers those that it consists of.
        .filter(({ models }) => models === undefined),
  });
}

/** The models in one scope: a workspace, or the organization if none is chosen. */
export function modelsQuery(place: { organization: string; workspace: string | undefined }) {
  return queryOptions({
    queryKey: [...api.models.list.key(), place],
    queryFn: ({ signal }) =>
      client.models.list(
        place.workspace === undefined ? { organization: place.organization } : { workspace: place.workspace },
        { signal },
      ),
  });
}
