import './projects.css';
import { ActionIcon, Alert, Badge, Button, Group, Menu, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { Project } from '../../../src/contract/projects.ts';
import { readFault } from '../../api/fault.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { AnchorLink, ButtonLink } from '../../kit/links.tsx';
import { LoadFailure } from '../../kit/list-state.tsx';
import { Loading } from '../../kit/loading.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { useCurrentWorkspace } from '../../session/organization-context.ts';
import { ProjectChats } from './project-chats.tsx';
import { DeleteProjectDialog, EditProjectDialog } from './project-dialogs.tsx';
import { ProjectFiles } from './project-files.tsx';
import { ProjectInstructions } from './project-instructions.tsx';
import { ProjectModel } from './project-model.tsx';
import { ShareDialog, TakeOver, WhoSees } from './project-sharing.tsx';
import { projectQuery } from './queries.ts';
import { projectStrings as strings } from './strings.ts';

export function ProjectPage(): ReactElement {
  const { project: id = '' } = useParams({ strict: false });
  const query = useQuery(projectQuery(id));
  if (query.data !== undefined) return <ShownProject key={id} project={query.data} />;
  if (query.error === null)
    return (
      <>
        <PageHeader title={strings.title} />
        <Loading />
      </>
    );
  if (readFault(query.error).status === 404)
    return (
      <>
        <PageHeader title={strings.notFound} description={strings.notFoundText} />
        <ButtonLink to="/projects" variant="default">
          {strings.all}
        </ButtonLink>
      </>
    );
  return (
    <>
      <PageHeader title={strings.title} />
      <LoadFailure error={query.error} retry={() => query.refetch()} />
    </>
  );
}

function ShownProject({ project }: { project: Project }): ReactElement {
  const { workspaces } = useCurrentWorkspace();
  const workspace = workspaces.find(({ id }) => id === project.workspace);
  const { rights, sharing, managedBy } = project;
  const [mayUse, mayChange, mayManage] = [rights.includes('use'), rights.includes('edit'), rights.includes('manage')];
  const place = workspace?.name ?? '';
  return (
    <>
      <PageHeader
        title={project.name}
        above={
          <AnchorLink to="/projects" size="sm">
            {strings.back}
          </AnchorLink>
        }
        description={
          <Group component="span" gap="xs">
            <bdi>{project.description}</bdi>
            {workspace !== undefined && <Badge color="gray">{workspace.name}</Badge>}
            <Badge color={sharing === 'private' ? 'gray' : 'pine'}>{strings.badges[sharing]}</Badge>
          </Group>
        }
        actions={rights.length > 0 && <ProjectActions project={project} workspace={place} />}
      />
      <Stack gap="xl">
        {mayManage && mayUse && managedBy.left && <TakeOver project={project} />}
        {!mayChange && (
          <Alert color="gray" icon={<Icon name="alert" />} role="note">
            {mayUse ? strings.onlyForUse(managedBy.name) : strings.readOnly}
          </Alert>
        )}
        <ProjectInstructions project={project} mayChange={mayChange} />
        <ProjectFiles project={project} mayChange={mayChange} />
        <ProjectModel project={project} mayChange={mayChange} />
        <ProjectChats project={project} />
        <WhoSees project={project} workspace={place} />
      </Stack>
    </>
  );
}

function ProjectActions({ project, workspace }: { project: Project; workspace: string }): ReactElement {
  const { rights } = project;
  const [opened, setOpened] = useState<'edit' | 'delete' | 'share'>();
  const close = (): void => setOpened(undefined);
  return (
    <Group gap="xs">
      {rights.includes('use') && (
        <ButtonLink to="/chat" search={{ project: project.id }} leftSection={<Icon name="plus" size={16} />}>
          {strings.newChat}
        </ButtonLink>
      )}
      {rights.includes('manage') && (
        <Button variant="default" leftSection={<Icon name="share" size={16} />} onClick={() => setOpened('share')}>
          {strings.share}
        </Button>
      )}
      {(rights.includes('edit') || rights.includes('manage')) && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="default" size="lg" aria-label={strings.actions}>
              <Icon name="more" />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {rights.includes('edit') && <Menu.Item onClick={() => setOpened('edit')}>{strings.edit}</Menu.Item>}
            {rights.includes('manage') && <Menu.Item onClick={() => setOpened('delete')}>{strings.delete}</Menu.Item>}
          </Menu.Dropdown>
        </Menu>
      )}
      {opened === 'edit' && <EditProjectDialog project={project} onClose={close} />}
      {opened === 'share' && <ShareDialog project={project} workspace={workspace} onClose={close} />}
      {opened === 'delete' && <DeleteProjectDialog project={project} onClose={close} />}
    </Group>
  );
}
