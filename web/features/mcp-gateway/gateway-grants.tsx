import { Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { GrantOnWire } from '../../../src/contract/grants.ts';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { grantKeys, grantsQuery, revokeGrant } from './grant-queries.ts';
import { workspacesQuery } from '../../session/queries.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { ListState } from '../../kit/list-state.tsx';
import { MoreRows, Row, Rows } from '../../kit/rows.tsx';
import { ShowDate } from '../../kit/show-date.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { useSignedIn } from '../../session/organization-context.ts';
import { grantStrings as strings } from './clients/client-strings.ts';

/** The clients that this person has approved, in any organization. */
export function GatewayGrants({ workspace }: { workspace: Workspace }): ReactElement {
  const query = useInfiniteQuery(grantsQuery);
  const queryClient = useQueryClient();
  const [ending, setEnding] = useState<GrantOnWire>();
  const reachOf = useReach(workspace.organization);
  const grants = query.data?.pages.flatMap((page) => page.grants) ?? [];
  return (
    <section aria-labelledby="grants">
      <Title order={2} id="grants">
        {strings.title}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {strings.text}
      </Text>
      <ListState
        query={query}
        isEmpty={grants.length === 0}
        empty={{ icon: 'gateway', title: strings.empty, text: strings.emptyText }}
      >
        <Rows label={strings.title}>
          {grants.map((grant) => (
            <Row
              key={grant.id}
              title={<span id={`grant-${grant.id}`}>{grant.client.name}</span>}
              text={
                <Stack gap={6} mt={4}>
                  <Group gap={6}>
                    {grant.scopes.map((scope) => (
                      <Code key={scope}>{scope}</Code>
                    ))}
                  </Group>
                  <span>
                    {reachOf(grant)} · {strings.approved} <ShowDate at={grant.createdAt} />, {strings.used}{' '}
                    <ShowDate at={grant.usedAt} />
                  </span>
                </Stack>
              }
              aside={
                <Button variant="default" aria-describedby={`grant-${grant.id}`} onClick={() => setEnding(grant)}>
                  {strings.revoke}
                </Button>
              }
            />
          ))}
        </Rows>
        <MoreRows query={query} />
      </ListState>
      {ending !== undefined && (
        <ConfirmDialog
          title={strings.revokeTitle(ending.client.name)}
          text={strings.revokeText}
          confirm={strings.revoke}
          act={() => revokeGrant(ending.id)}
          onClose={() => setEnding(undefined)}
          onDone={() => {
            setEnding(undefined);
            toastDone(strings.revoked(ending.client.name));
            void queryClient.invalidateQueries({ queryKey: grantKeys.all });
          }}
        />
      )}
    </section>
  );
}

/** The name of a grant's workspace or organization. */
function useReach(organization: string): (grant: GrantOnWire) => string {
  const { organizations } = useSignedIn();
  const { data: workspaces = [] } = useQuery(workspacesQuery(organization));
  return (grant) => {
    if (grant.organization !== organization)
      return organizations.find(({ id }) => id === grant.organization)?.name ?? strings.otherOrganization;
    if (grant.workspace === undefined) return strings.reachAll;
    return workspaces.find(({ id }) => id === grant.workspace)?.name ?? grant.workspace;
  };
}
