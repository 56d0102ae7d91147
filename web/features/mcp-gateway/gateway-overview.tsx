import { Card, Group, List, Stack, Title } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { CopyField } from '../../kit/copy-field.tsx';
import { ButtonLink } from '../../kit/links.tsx';
import { gatewayStrings } from './strings.ts';
import { GatewayFigures } from './gateway-figures.tsx';

const strings = gatewayStrings.overview;

export function GatewayOverview({ workspace }: { workspace: Workspace }): ReactElement {
  const { origin } = window.location;
  return (
    <Stack gap="lg">
      <GatewayFigures workspace={workspace} />
      <Card>
        <Stack gap="lg">
          <CopyField label={strings.address} description={strings.addressText} value={`${origin}/connect/mcp`} />
          <CopyField label={strings.rest} description={strings.restText} value={`${origin}/connect/call`} />
          <CopyField label={strings.workspaceId} description={strings.workspaceIdText} value={workspace.id} />
        </Stack>
      </Card>
      <Card>
        <Stack>
          <Title order={2}>{strings.rulesTitle}</Title>
          <List size="sm" spacing="xs">
            {strings.rules.map((rule) => (
              <List.Item key={rule}>{rule}</List.Item>
            ))}
          </List>
          <Group gap="sm">
            <ButtonLink
              to="/workspaces/$slug/mcp-gateway"
              params={{ slug: workspace.slug }}
              search={{ tab: 'clients' }}
            >
              {strings.setUpClient}
            </ButtonLink>
            <ButtonLink
              to="/workspaces/$slug/mcp-gateway"
              params={{ slug: workspace.slug }}
              search={{ tab: 'tokens' }}
              variant="default"
            >
              {strings.makeToken}
            </ButtonLink>
          </Group>
        </Stack>
      </Card>
    </Stack>
  );
}
