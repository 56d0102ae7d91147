import { Badge, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { guardrailsQuery } from './queries.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { AnchorLink, ButtonLink } from '../../kit/links.tsx';
import { ListState } from '../../kit/list-state.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { PlainNote } from '../../kit/plain-note.tsx';
import { MoreRows, Row, Rows } from '../../kit/rows.tsx';
import { useSignedIn } from '../../session/organization-context.ts';
import { guardrailKinds, guardrailStrings as strings } from './strings.ts';

export function GuardrailsPage(): ReactElement {
  const { organization } = useSignedIn();
  const query = useInfiniteQuery(guardrailsQuery(organization.id));
  const groups = query.data?.pages.flatMap((page) => page.groups) ?? [];
  const create = (
    <ButtonLink to="/organization/settings/guardrails/new" leftSection={<Icon name="plus" size={16} />}>
      {strings.create}
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title={strings.title}
        description={strings.description}
        actions={groups.length > 0 ? create : undefined}
      />
      <Stack gap="lg">
        <PlainNote text={strings.note} />
        <ListState
          query={query}
          isEmpty={groups.length === 0}
          empty={{ icon: 'shield', title: strings.empty, text: strings.emptyText, action: create }}
        >
          <Rows label={strings.list}>
            {groups.map(({ id, name, version, rules }) => (
              <Row
                key={id}
                className="row-link"
                title={
                  <AnchorLink
                    to="/organization/settings/guardrails/$guardrail"
                    params={{ guardrail: id }}
                    c="inherit"
                    underline="never"
                  >
                    {name}
                  </AnchorLink>
                }
                text={
                  <Group gap={6} mt={2}>
                    {[...new Set(rules.map(({ kind }) => kind))].map((kind) => (
                      <Badge key={kind} color="gray">
                        {guardrailKinds[kind].name}
                      </Badge>
                    ))}
                  </Group>
                }
                aside={
                  <>
                    <Text component="span" size="sm" c="dimmed">
                      {strings.version(version)}
                    </Text>
                    <Icon name="chevron" size={16} />
                  </>
                }
              />
            ))}
          </Rows>
          <MoreRows query={query} />
        </ListState>
      </Stack>
    </>
  );
}
