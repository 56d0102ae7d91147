import { Card, Switch, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { connections } from '../../api/runtime-client.ts';
import type { WorkspaceNames } from '../../api/workspace-names.ts';
import { toastDone, toastFault } from '../../kit/toasts.tsx';
import { connectionPolicyQuery } from '../integrations/queries.ts';
import { connectionStrings as strings } from '../integrations/connection-strings.ts';

interface PushRightProps {
  place: WorkspaceNames;
  connection: string;
  canManage: boolean;
}

/** Whether runs may have branches pushed through a code host's connection; renders nothing until that is known. */
export function PushRight({ place, connection, canManage }: PushRightProps): ReactElement | null {
  const { organization, workspace } = place;
  const queryClient = useQueryClient();
  const query = connectionPolicyQuery(place, connection);
  const { data: policy } = useQuery(query);
  const save = useMutation({
    mutationFn: (push: 'off' | 'branches') =>
      connections.writePolicy(
        { params: { id: connection }, query: { workspace }, body: { push } },
        { context: { organization, access: 'write' } },
      ),
    onSuccess: (saved) => {
      queryClient.setQueryData(query.queryKey, saved);
      toastDone(strings.pushSaved);
    },
    onError: toastFault,
  });
  if (policy === undefined) return null;
  return (
    <section aria-labelledby="push">
      <Title order={2} id="push">
        {strings.push}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {strings.pushText} {!canManage && strings.readOnly}
      </Text>
      <Card>
        <Switch
          label={strings.pushBranches}
          checked={(save.isPending ? save.variables : policy.push) === 'branches'}
          disabled={!canManage || save.isPending}
          onChange={({ currentTarget: { checked } }) => save.mutate(checked ? 'branches' : 'off')}
        />
      </Card>
    </section>
  );
}
