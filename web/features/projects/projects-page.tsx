import './projects.css';
import { Button, TextInput, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { Project } from '../../../src/contract/projects.ts';
import { isolateName } from '../../language/isolate-names.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { AnchorLink, ButtonLink } from '../../kit/links.tsx';
import { ListState } from '../../kit/list-state.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { MoreRows, Row, Rows } from '../../kit/rows.tsx';
import { useCurrentWorkspace, useSignedIn } from '../../session/organization-context.ts';
import { CreateProjectDialog } from './project-dialogs.tsx';
import { projectsQuery } from './queries.ts';
import { projectStrings as strings } from './strings.ts';

const SEARCH_AFTER_MS = 250;

export function ProjectsPage(): ReactElement {
  const { organization } = useSignedIn();
  const { workspaces } = useCurrentWorkspace();
  const [search, setSearch] = useState('');
  const [sought] = useDebouncedValue(search.trim(), SEARCH_AFTER_MS);
  const query = useInfiniteQuery({
    ...projectsQuery(organization.id, sought),
    placeholderData: (before) => before,
  });
  const [creating, { open, close }] = useDisclosure(false);
  const projects = query.data?.pages.flatMap((page) => page.projects) ?? [];
  const create = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
      {strings.create}
    </Button>
  );
  const hasSearch = projects.length > 0 || search !== '';
  return (
    <>
      <PageHeader title={strings.title} description={strings.description} actions={create} />
      {hasSearch && (
        <TextInput
          type="search"
          mb="md"
          maw="24rem"
          aria-label={strings.search}
          placeholder={strings.search}
          leftSection={<Icon name="search" size={16} />}
          maxLength={100}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <ListState
        query={query}
        isEmpty={projects.length === 0}
        empty={
          sought === ''
            ? { icon: 'folder', title: strings.empty, text: strings.emptyText, action: create }
            : { icon: 'search', title: strings.noMatch, text: strings.noMatchText }
        }
      >
        <Rows label={strings.title}>
          {projects.map((project) => (
            <ProjectRow
              key={project.id}
              project={project}
              workspace={workspaces.find(({ id }) => id === project.workspace)?.name}
            />
          ))}
        </Rows>
        <MoreRows query={query} />
      </ListState>
      {creating && <CreateProjectDialog onClose={close} />}
    </>
  );
}

function ProjectRow({ project, workspace }: { project: Project; workspace: string | undefined }): ReactElement {
  const { user } = useSignedIn();
  const { id, name, description, sharing, managedBy, rights, files } = project;
  const shared =
    managedBy.id === user.id ? strings.badges[sharing] : `${strings.badges[sharing]} ${strings.by(managedBy.name)}`;
  const facts = [isolateName(description), shared, workspace, strings.files(files)].filter(Boolean);
  return (
    <Row
      className="row-link"
      lead={<Icon name="folder" />}
      title={
        <AnchorLink to="/projects/$project" params={{ project: id }} c="inherit" underline="never">
          {name}
        </AnchorLink>
      }
      text={facts.join(' · ')}
      aside={
        <>
          {rights.includes('use') && (
            <ButtonLink to="/chat" search={{ project: id }} variant="default" size="compact-sm" className="project-use">
              {strings.use}
              <VisuallyHidden>{`\u00a0${name}`}</VisuallyHidden>
            </ButtonLink>
          )}
          <Icon name="chevron" size={16} />
        </>
      }
    />
  );
}
