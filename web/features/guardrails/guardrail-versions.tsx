import { Badge, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { GuardrailGroup } from '../../../src/contract/guardrails.ts';
import { guardrailVersionsQuery } from './queries.ts';
import { AnchorLink } from '../../kit/links.tsx';
import { ListState } from '../../kit/list-state.tsx';
import { MoreRows, Row, Rows } from '../../kit/rows.tsx';
import { ShowDate } from '../../kit/show-date.tsx';
import { useSignedIn } from '../../session/organization-context.ts';
import { guardrailStrings as strings } from './strings.ts';

export function GuardrailVersions({ group }: { group: GuardrailGroup }): ReactElement {
  const { organization } = useSignedIn();
  const query = useInfiniteQuery(guardrailVersionsQuery(organization.id, group.id));
  const versions = query.data?.pages.flatMap((page) => page.versions) ?? [];
  return (
    <section aria-labelledby="versions">
      <Title order={2} id="versions">
        {strings.versions}
      </Title>
      <Text size="sm" c="dimmed" mt={4} mb="sm">
        {strings.versionsText}
      </Text>
      <ListState
        query={query}
        isEmpty={versions.length === 0}
        empty={{ icon: 'shield', title: strings.versions, text: strings.versionsText }}
      >
        <Rows label={strings.versions}>
          {versions.map(({ version, name, rules, createdAt }) => (
            <Row
              key={version}
              className="row-link"
              title={
                <AnchorLink
                  to="/organization/settings/guardrails/$guardrail"
                  params={{ guardrail: group.id }}
                  search={{ version: String(version) }}
                  aria-current={version === group.version ? 'true' : undefined}
                  c="inherit"
                  underline="never"
                >
                  {strings.version(version)}
                </AnchorLink>
              }
              text={
                <>
                  {name} · {strings.rulesCount(rules.length)} · <ShowDate at={createdAt} />
                </>
              }
              aside={version === group.latestVersion && <Badge>{strings.latest}</Badge>}
            />
          ))}
        </Rows>
        <MoreRows query={query} />
      </ListState>
    </section>
  );
}
