import { useMutation, useQueryClient } from '@tanstack/react-query';
import { connections } from '../../api/runtime-client.ts';
import { type ConnectionPolicy, connectionPolicyQuery, connectKeys } from '../integrations/queries.ts';
import type { WorkspaceNames } from '../../api/workspace-names.ts';
import { toastFault } from '../../kit/toasts.tsx';

/**
 * Switches actions optimistically and saves them one at a time. A save replaces all stored decisions, so each sends all
 * that are known. On an error, the page shows it and returns to the server's state.
 */
export function useActionSwitch(
  place: WorkspaceNames,
  id: string,
): (tool: string, enabled: boolean, onSaved: () => void) => void {
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
  return (tool, enabled, onSaved) => mutate({ tool, enabled }, { onSuccess: onSaved });
}

export type Repositories = ConnectionPolicy['repositories'];

/** `owner/name`, or a project path with its groups. */
export function isRepository(name: string): boolean {
  return /^[^\s/]+(?:\/[^\s/]+)+$/.test(name) && name.length <= 300;
}
