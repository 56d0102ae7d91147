import { Card, List, Stack, Title } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Workspace } from '../../src/contract/workspaces.ts';
import { CopyField } from '../parts/copy-field.tsx';
import { ButtonLink } from '../parts/links.tsx';
import { gatewayStrings } from '../strings/gateway.ts';

const strings = gatewayStrings.overview;

export function GatewayOverview({ workspace }: { workspace: Workspace }): ReactElement {
  const { origin } = window.location;
  return (
    <Stack gap="lg">
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
          <div>
            <ButtonLink to="/workspaces/$slug/mcp-gateway" params={{ slug: workspace.slug }} search={{ tab: 'tokens' }} variant="default">
              {strings.makeToken}
            </ButtonLink>
          </div>
        </Stack>
      </Card>
    </Stack>
  );
}
