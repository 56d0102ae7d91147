// Organizations that answer nothing: what became of each and, for one that was deleted, the way back.
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { ShutOrganization } from '../../../src/contract/leaving/leaving.ts';
import { client } from '../../api/client.ts';
import { toastDone, toastFault } from '../../kit/toasts.tsx';
import { formatDate } from '../../language/format.ts';
import { meQuery } from '../../session/me-query.ts';
import { shutOrganizationStrings as strings } from './strings.ts';

export function ShutOrganizations(): ReactElement | null {
  const { data: me } = useQuery(meQuery);
  const shut = me?.shutOrganizations ?? [];
  if (shut.length === 0) return null;
  return (
    <Stack gap="xs" w="100%" maw="30rem" component="section" aria-label={strings.title}>
      {shut.map((organization) => (
        <Shut key={organization.id} organization={organization} />
      ))}
    </Stack>
  );
}

function Shut({ organization }: { organization: ShutOrganization }): ReactElement {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { id, slug, name, state } = organization;
  const restore = useMutation({
    mutationFn: () => client.leaving.restore({ org: id }),
    onSuccess: async () => {
      await queryClient.fetchQuery({ ...meQuery, staleTime: 0 });
      toastDone(strings.restored(name));
      await navigate({ to: '/chat', search: { org: slug } });
    },
    onError: toastFault,
  });
  return (
    <Group justify="space-between" wrap="nowrap" align="center">
      <div style={{ minWidth: 0 }}>
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          {state === 'deleted' ? strings.deleted(formatDate(organization.erasedAt, 'day')) : strings.paused}
        </Text>
      </div>
      {state === 'deleted' && (
        <Button variant="default" flex="none" loading={restore.isPending} onClick={() => restore.mutate()}>
          {strings.restore}
        </Button>
      )}
    </Group>
  );
}
