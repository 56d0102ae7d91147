import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { OrganizationPolicy } from '../../../src/contract/policy.ts';
import { api, client } from '../../api/client.ts';
import { policyQuery } from './queries.ts';
import { policyPageStrings as strings } from './strings.ts';
import { toastDone, toastFault } from '../../kit/toasts.tsx';

export type PolicyChange = Partial<Omit<OrganizationPolicy, 'providerKeySummary' | 'modules'>>;

/**
 * Changes the policy optimistically and saves the changes one at a time, so that quick changes build on each other. On
 * an error, the page shows it and returns to the server's state.
 */
export function usePolicyChange(org: string): (change: PolicyChange) => void {
  const queryClient = useQueryClient();
  const { queryKey } = policyQuery(org);
  const mutationKey = ['policy', org];
  const { mutate } = useMutation({
    mutationKey,
    scope: { id: `policy/${org}` },
    mutationFn: (change: PolicyChange) => client.policy.update({ org, ...change }),
    onMutate: (change) => {
      void queryClient.cancelQueries({ queryKey }, { revert: false });
      queryClient.setQueryData(queryKey, (before) => before && { ...before, ...change });
    },
    onError: toastFault,
    onSettled: (_policy, error) => {
      if (queryClient.isMutating({ mutationKey }) > 1) return;
      if (error === null) toastDone(strings.changed);
      void queryClient.invalidateQueries({ queryKey });
      for (const changed of [api.models, api.providerKeys])
        void queryClient.invalidateQueries({ queryKey: changed.key() });
    },
  });
  return mutate;
}
