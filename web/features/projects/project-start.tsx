import { Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Project } from '../../../src/contract/projects.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { projectStrings as strings } from './strings.ts';

/** The start of a chat in a project. */
export function ProjectStart({ project }: { project: Project }): ReactElement {
  return (
    <Stack gap="xs" align="center" ta="center" className="project-start">
      <Icon name="folder" size={36} />
      <Title order={2} fz="1.5rem" mt="xs" style={{ overflowWrap: 'anywhere' }}>
        {strings.startTitle(project.name)}
      </Title>
      {project.description !== '' && <Text maw="40rem">{project.description}</Text>}
      <Text c="dimmed">
        {strings.startText(project.instructions !== '', project.files)}
        {project.sharing !== 'private' && ` ${strings.startPrivate}`}
      </Text>
    </Stack>
  );
}

/** The project that a chat is in. */
export function ProjectName({ project: { id, name } }: { project: Project }): ReactElement {
  return (
    <AnchorLink to="/projects/$project" params={{ project: id }} size="sm" className="project-name" title={name}>
      <Icon name="folder" size={14} />
      <VisuallyHidden>{strings.chatProject}</VisuallyHidden>
      <span dir="auto">{name}</span>
    </AnchorLink>
  );
}
