import { Stack, Text, Title } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { ProviderKeyCards } from '../models-and-keys/provider-keys.tsx';
import { workspaceKeyStrings as strings } from '../models-and-keys/strings.ts';
import { ModelsAccounts } from '../models-and-keys/models-accounts.tsx';

export function GatewayLlmKeys({ workspace }: { workspace: Workspace }): ReactElement {
  return (
    <Stack gap="xl">
      <section>
        <Title order={2} mb={2}>
          {strings.title}
        </Title>
        <Text size="sm" c="dimmed" mb="md">
          {strings.text(workspace.name)}
        </Text>
        <ProviderKeyCards
          scope={{ organization: workspace.organization, workspace: workspace.id }}
          canManage={workspace.canManage}
          failure={strings.loadFailed}
        />
      </section>
      <ModelsAccounts scope={{ ws: workspace.id }} canManage={workspace.canManage} />
    </Stack>
  );
}
