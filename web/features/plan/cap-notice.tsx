// A warning above every page, before and when a cap that applies to the person is reached.
import { Alert, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { ButtonLink } from '../../kit/links.tsx';
import { Icon } from '../../kit/look/icons.tsx';
import { useSignedIn } from '../../session/organization-context.ts';
import { stateOf } from './cap-state.ts';
import { mySpendQuery } from './spend-queries.ts';
import { spendStrings } from './spend-strings.ts';
import { formatCost } from '../../language/format.ts';

const strings = spendStrings.notice;

export function CapNotice(): ReactElement | null {
  const { organization, user } = useSignedIn();
  const { data } = useQuery(mySpendQuery(organization.id));
  const [tightest] = (data?.caps ?? [])
    .map((cap) => ({ cap, state: stateOf(cap.limit, cap.remaining) }))
    .filter(({ state }) => state.level !== 'open')
    .sort((a, b) => b.state.share - a.state.share);
  if (tightest === undefined) return null;
  const { cap, state } = tightest;
  const name = cap.subject.id === user.id ? strings.you : cap.name;
  return (
    <Alert color={state.color} icon={<Icon name="alert" />} m="xs">
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          {state.level === 'reached' ? strings.reached(name) : strings.near(name, formatCost(cap.remaining))}
        </Text>
        <ButtonLink size="xs" variant="default" to="/usage">
          {strings.action}
        </ButtonLink>
      </Group>
    </Alert>
  );
}
