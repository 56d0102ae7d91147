import { useMutation, useQueryClient } from '@tanstack/react-query';
import { connections } from '../../api/runtime-client.ts';
import { type ConnectionPolicy, connectionPolicyQuery, connectKeys, type Place } from '../integrations/queries.ts';
import { toastFault } from '../../kit/toasts.tsx';

/**
 * Switches actions at once on the page, and one after the other on the server. A change replaces every decision that
 * is stored, so each is sent with all that are known. A refusal is said, and the page goes back to what the server has.
 */
export function useActionSwitch(place: Place, id: string): (tool: string, enabled: boolean) => void {
  const { organization, workspace } = place;
  const queryClient = useQueryClient();
  const { queryKey } = connectionPolicyQuery(place, id);
  const mutationKey = ['connection-policy', id];
  const { mutate } = useMutation({
    mutationKey,
    scope: { id: `connection-policy/${id}` },
    mutationFn: () => {
      const { actions = {} } = queryClient.getQueryData(queryKey) ?? {};
      return connections.writePolicy(
        { params: { id }, query: { workspace }, body: { actions: { ...actions } } },
        { context: { organization, access: 'write' } },
      );
    },
    onMutate: ({ tool, enabled }: { tool: string; enabled: boolean }) => {
      void queryClient.cancelQueries({ queryKey }, { revert: false });
      queryClient.setQueryData(
        queryKey,
        (before) => before && { ...before, actions: { ...before.actions, [tool]: enabled } },
      );
    },
    onError: (error) => {
      toastFault(error);
      void queryClient.invalidateQueries({ queryKey });
    },
    onSettled: () => {
      if (queryClient.isMutating({ mutationKey }) > 1) return;
      void queryClient.invalidateQueries({ queryKey: connectKeys.policy(place, id) });
      void queryClient.invalidateQueries({ queryKey: connectKeys.tools(place) });
    },
  });
  return (tool, enabled) => mutate({ tool, enabled });
}

export type Repositories = ConnectionPolicy['repositories'];

/** `owner/name`, or the path of a project with its groups. */
export function isRepository(name: string): boolean {
  return /^[^\s/]+(?:\/[^\s/]+)+$/.test(name) && name.length <= 300;
}
