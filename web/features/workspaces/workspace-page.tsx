import { Alert, Breadcrumbs, Stack, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { AnchorLink, ButtonLink } from '../../kit/links.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { workspaceStrings as strings } from './strings.ts';
import { DeleteWorkspace } from './delete-workspace.tsx';
import { WorkspaceDetails } from './workspace-details.tsx';
import { WorkspaceGate } from './workspace-gate.tsx';
import { WorkspaceMembers } from './workspace-members.tsx';

const route = getRouteApi('/signed/app/workspaces/$slug/');

export function WorkspacePage(): ReactElement {
  const { slug } = route.useParams();
  return (
    <WorkspaceGate slug={slug}>
      {(workspace) => <WorkspaceView key={workspace.id} workspace={workspace} />}
    </WorkspaceGate>
  );
}

function WorkspaceView({ workspace }: { workspace: Workspace }): ReactElement {
  return (
    <>
      <PageHeader
        title={workspace.name}
        above={
          <Breadcrumbs separator="/" fz="sm">
            <AnchorLink to="/workspaces" size="sm">
              {strings.title}
            </AnchorLink>
          </Breadcrumbs>
        }
        actions={
          <ButtonLink
            to="/workspaces/$slug/mcp-gateway"
            params={{ slug: workspace.slug }}
            variant="default"
            leftSection={<Icon name="gateway" size={16} />}
          >
            {strings.openGateway}
          </ButtonLink>
        }
      />
      <Stack gap="xl">
        {workspace.kind === 'default' && <Alert color="gray">{strings.defaultNote}</Alert>}
        {!workspace.canManage && <Alert color="gray">{strings.cannotManage}</Alert>}
        <WorkspaceMembers workspace={workspace} />
        <section aria-labelledby="details">
          <Title order={2} id="details" mb="sm">
            {strings.details}
          </Title>
          <WorkspaceDetails workspace={workspace} />
        </section>
        {workspace.canManage && workspace.kind === 'named' && <DeleteWorkspace workspace={workspace} />}
      </Stack>
    </>
  );
}
