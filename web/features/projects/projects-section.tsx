import './projects.css';
import { ActionIcon, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure, useLocalStorage } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactElement, useId } from 'react';
import { Icon } from '../../kit/look/icons.tsx';
import { AnchorLink, ThreadLink } from '../../kit/links.tsx';
import { LoadFailure } from '../../kit/list-state.tsx';
import { Loading } from '../../kit/loading.tsx';
import { onDemand } from '../../kit/on-demand.tsx';
import { useSignedIn } from '../../session/organization-context.ts';
import { projectsQuery } from './queries.ts';
import { projectStrings as strings } from './strings.ts';

const CreateProjectDialog = onDemand(async () => (await import('./project-dialogs.tsx')).CreateProjectDialog);
const SHOWN = 6;

/** The latest projects, above the list of chats. Whether it is folded is remembered in this browser. */
export function ProjectsSection({
  current,
  onOpen,
}: {
  /** The project of the open chat. */
  current: string | undefined;
  onOpen: () => void;
}): ReactElement {
  const { organization } = useSignedIn();
  const [folded, setFolded] = useLocalStorage({ key: 'projects-folded', defaultValue: false });
  const [creating, { open, close }] = useDisclosure(false);
  const query = useInfiniteQuery({ ...projectsQuery(organization.id), enabled: !folded });
  const projects = query.data?.pages.flatMap((page) => page.projects) ?? [];
  const list = useId();
  return (
    <section aria-label={strings.title} className="projects-side">
      <div className="projects-side-head">
        <UnstyledButton
          className="projects-fold"
          aria-expanded={!folded}
          aria-controls={list}
          onClick={() => setFolded(!folded)}
        >
          <Icon name="chevron" size={14} />
          {strings.toggle}
        </UnstyledButton>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={strings.create} onClick={open}>
          <Icon name="plus" size={16} />
        </ActionIcon>
      </div>
      <div id={list} hidden={folded}>
        {!folded && query.isPending && <Loading />}
        {query.data === undefined && query.error !== null && (
          <LoadFailure error={query.error} retry={() => query.refetch()} />
        )}
        {query.data !== undefined && projects.length === 0 && (
          <Text size="sm" c="dimmed" px="xs" pb="xs">
            {strings.emptySide}
          </Text>
        )}
        <ul className="rail-list">
          {projects.slice(0, SHOWN).map(({ id, name }) => (
            <li key={id} className="thread" data-current={id === current ? true : undefined}>
              <Icon name="folder" size={16} />
              <ThreadLink to="/projects/$project" params={{ project: id }} onClick={onOpen}>
                {name}
              </ThreadLink>
            </li>
          ))}
        </ul>
        {projects.length > SHOWN && (
          <AnchorLink to="/projects" size="sm" px="xs" onClick={onOpen}>
            {strings.all}
          </AnchorLink>
        )}
      </div>
      {creating && <CreateProjectDialog onClose={close} onCreated={onOpen} />}
    </section>
  );
}
