import { Badge, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { workspacesQuery } from '../../session/queries.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { ListState } from '../../kit/list-state.tsx';
import { Monogram } from '../../kit/monogram.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { useSignedIn } from '../../session/organization-context.ts';
import { roleNames } from '../../kit/strings.ts';
import { workspaceStrings as strings } from './strings.ts';
import { CreateWorkspaceDialog } from './create-workspace-dialog.tsx';

export function WorkspacesPage(): ReactElement {
  const { organization } = useSignedIn();
  const query = useQuery(workspacesQuery(organization.id));
  const [creating, { open, close }] = useDisclosure(false);
  const workspaces = query.data ?? [];
  const create = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
      {strings.create}
    </Button>
  );
  return (
    <>
      <PageHeader title={strings.title} description={strings.description} actions={create} />
      <ListState
        query={query}
        isEmpty={workspaces.length === 0}
        empty={{ icon: 'workspaces', title: strings.empty, text: strings.emptyText, action: create }}
      >
        <Rows label={strings.title}>
          {workspaces.map((workspace) => (
            <WorkspaceRow key={workspace.id} workspace={workspace} />
          ))}
        </Rows>
      </ListState>
      {creating && <CreateWorkspaceDialog onClose={close} />}
    </>
  );
}

function WorkspaceRow({ workspace }: { workspace: Workspace }): ReactElement {
  return (
    <Row
      className="row-link"
      lead={<Monogram name={workspace.name} quiet />}
      title={
        <AnchorLink
          to="/workspaces/$slug"
          params={{ slug: workspace.slug }}
          search={{ workspace: workspace.slug }}
          c="inherit"
          underline="never"
        >
          {workspace.name}
        </AnchorLink>
      }
      text={workspace.role === undefined ? strings.noRole : roleNames[workspace.role]}
      aside={
        <>
          {workspace.kind === 'default' && <Badge color="gray">{strings.isDefault}</Badge>}
          <Icon name="chevron" size={16} />
        </>
      }
    />
  );
}
