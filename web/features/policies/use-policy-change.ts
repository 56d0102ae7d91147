import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { OrganizationPolicy } from '../../../src/contract/policy.ts';
import { api, client } from '../../api/client.ts';
import { policyQuery } from './queries.ts';
import { toastFault } from '../../kit/toasts.tsx';

export type PolicyChange = Partial<Omit<OrganizationPolicy, 'providerKeySummary' | 'modules'>>;

/**
 * Changes parts of the policy at once on the page, and one after the other on the server, so that quick switches in a
 * row build on each other. A refusal is said, and the page goes back to what the server has.
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
    onSettled: () => {
      if (queryClient.isMutating({ mutationKey }) > 1) return;
      void queryClient.invalidateQueries({ queryKey });
      for (const changed of [api.models, api.providerKeys])
        void queryClient.invalidateQueries({ queryKey: changed.key() });
    },
  });
  return mutate;
}
