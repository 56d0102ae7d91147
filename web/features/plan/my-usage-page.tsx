import { Badge, Card, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { MySpend } from '../../../src/contract/spend.ts';
import { CardSkeleton } from '../../kit/card-skeleton.tsx';
import { LoadFailure } from '../../kit/list-state.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { ShowDate } from '../../kit/show-date.tsx';
import { useSignedIn } from '../../session/organization-context.ts';
import { periodOf } from './spend-periods.ts';
import { mySpendQuery, spendQuery } from './spend-queries.ts';
import { spendStrings } from './spend-strings.ts';
import { SpendTable } from './spend-table.tsx';
import { stateOf } from './cap-state.ts';
import { showCost } from './show-cost.ts';
import { formatCost, formatMonth, toPercent } from '../../language/format.ts';

const strings = spendStrings.mine;

/** What a member has spent, and what is left for them before a request is refused. */
export function MyUsagePage(): ReactElement {
  const { organization, user } = useSignedIn();
  const query = useQuery(mySpendQuery(organization.id));
  return (
    <>
      <PageHeader title={strings.title} description={strings.description} />
      {query.data === undefined ? (
        query.error === null ? (
          <CardSkeleton />
        ) : (
          <LoadFailure error={query.error} retry={query.refetch} />
        )
      ) : (
        <Stack gap="xl">
          <Card padding="md">
            <Text size="sm" c="dimmed">
              {strings.spent}
            </Text>
            <Text fw={650} fz="xl" style={{ fontVariantNumeric: 'tabular-nums' }}>
              {showCost(query.data)}
            </Text>
            <Text size="xs" c="dimmed">
              {strings.spentText(formatMonth(query.data.month))}
            </Text>
          </Card>
          <section aria-labelledby="left">
            <Title order={2} id="left" mb="sm">
              {strings.caps}
            </Title>
            {query.data.caps.length === 0 ? (
              <Text c="dimmed">{strings.none}</Text>
            ) : (
              <Stack gap="sm">
                {query.data.caps.map((cap) => (
                  <CapLeft key={`${cap.subject.kind}/${cap.subject.id}`} cap={cap} isMe={cap.subject.id === user.id} />
                ))}
              </Stack>
            )}
          </section>
          <MyModels />
        </Stack>
      )}
    </>
  );
}

function CapLeft({ cap, isMe }: { cap: MySpend['caps'][number]; isMe: boolean }): ReactElement {
  const { share, color, badge } = stateOf(cap.limit, cap.remaining);
  const value = spendStrings.caps.left(formatCost(cap.remaining), formatCost(cap.limit));
  return (
    <Card padding="md">
      <Group justify="space-between" gap="xs">
        <Text fw={550}>{isMe ? strings.kinds.member : cap.name}</Text>
        {badge !== undefined && <Badge color={color}>{badge}</Badge>}
      </Group>
      <Text style={{ fontVariantNumeric: 'tabular-nums' }}>{value}</Text>
      <Progress value={toPercent(share)} my={6} size="sm" color={color} aria-label={`${cap.name}: ${value}`} />
      <Text size="xs" c="dimmed">
        {strings.kinds[cap.subject.kind]} · {spendStrings.caps.resets} <ShowDate at={cap.resetsAt} />
      </Text>
    </Card>
  );
}

/** Owners and admins see everyone's rows, which are on the page Spending. */
function MyModels(): ReactElement | null {
  const { organization } = useSignedIn();
  const [period] = useState(() => periodOf('month', new Date()));
  const query = useInfiniteQuery({
    ...spendQuery(organization.id, 'model', period),
    enabled: organization.role === 'member',
  });
  if (organization.role !== 'member') return null;
  return (
    <section aria-labelledby="models">
      <Title order={2} id="models" mb="sm">
        {strings.byModel}
      </Title>
      <SpendTable query={query} />
    </section>
  );
}
