import { Group, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Project } from '../../../src/contract/projects.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { ListState } from '../../kit/list-state.tsx';
import { MoreRows, Row, Rows } from '../../kit/rows.tsx';
import { ShowDate } from '../../kit/show-date.tsx';
import { projectThreadsQuery } from './queries.ts';
import { projectStrings as strings } from './strings.ts';

export function ProjectChats({ project }: { project: Project }): ReactElement {
  const query = useInfiniteQuery(projectThreadsQuery(project.organization, project.id));
  const threads = query.data?.pages.flatMap((page) => page.threads) ?? [];
  return (
    <section aria-labelledby="project-chats">
      <Group gap="xs" mb="xs" align="baseline">
        <Title order={2} size="h4" id="project-chats">
          {strings.chats}
        </Title>
        <Text size="sm" c="dimmed">
          {strings.chatsHint}
        </Text>
      </Group>
      <ListState
        query={query}
        isEmpty={threads.length === 0}
        empty={{ icon: 'chat', title: strings.noChats, text: strings.noChatsText }}
      >
        <Rows label={strings.chats}>
          {threads.map(({ id, title, updatedAt }) => (
            <Row
              key={id}
              className="row-link"
              lead={<Icon name="chat" />}
              title={
                <AnchorLink to="/chat/$thread" params={{ thread: id }} c="inherit" underline="never">
                  {title}
                </AnchorLink>
              }
              text={<ShowDate at={updatedAt} />}
              aside={<Icon name="chevron" size={16} />}
            />
          ))}
        </Rows>
        <MoreRows query={query} />
      </ListState>
    </section>
  );
}
