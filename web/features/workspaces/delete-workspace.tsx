import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { api, client } from '../../api/client.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { workspaceStrings as strings } from './strings.ts';

export function DeleteWorkspace({ workspace }: { workspace: Workspace }): ReactElement {
  const [asking, { open, close }] = useDisclosure(false);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return (
    <Card component="section" aria-labelledby="danger">
      <Group justify="space-between">
        <Stack gap={2} flex="1 1 18rem">
          <Title order={2} id="danger" fz="md">
            {strings.danger}
          </Title>
          <Text size="sm" c="dimmed">
            {strings.dangerText}
          </Text>
        </Stack>
        <Button variant="outline" color="red" onClick={open}>
          {strings.delete}
        </Button>
      </Group>
      {asking && (
        <ConfirmDialog
          title={strings.deleteTitle(workspace.name)}
          text={strings.dangerText}
          confirm={strings.delete}
          typed={{ label: strings.deleteConfirm(workspace.name), value: workspace.name }}
          act={() => client.workspaces.remove({ ws: workspace.id })}
          onClose={close}
          onDone={async () => {
            toastDone(strings.deleted(workspace.name));
            await navigate({ to: '/workspaces', search: { workspace: undefined } });
            await queryClient.invalidateQueries({ queryKey: api.workspaces.list.key() });
          }}
        />
      )}
    </Card>
  );
}
