import { Card, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { OrganizationUsage } from '../../../src/contract/usage.ts';
import { CardSkeleton } from '../../kit/card-skeleton.tsx';
import { LoadFailure } from '../../kit/list-state.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { useSignedIn } from '../../session/organization-context.ts';
import { planStrings as strings } from './strings.ts';
import { sessionStrings } from '../../session/strings.ts';
import { UsageByDay } from './usage-by-day.tsx';
import { api, client } from '../../api/client.ts';
import { formatBytes, formatCost, toPercent } from '../../language/format.ts';

const route = getRouteApi('/signed/app/organization/settings/plan');
const DEFAULT_DAYS = '31';

export function PlanPage(): ReactElement {
  const { organization } = useSignedIn();
  const { days: asked } = route.useSearch();
  const navigate = route.useNavigate();
  const days = asked !== undefined && Object.hasOwn(strings.ranges, asked) ? asked : DEFAULT_DAYS;
  const query = useQuery({ ...usageQuery(organization.id, Number(days)), placeholderData: (before) => before });
  return (
    <>
      <PageHeader title={strings.title} description={strings.description} />
      {query.data === undefined ? (
        query.error === null ? (
          <CardSkeleton />
        ) : (
          <LoadFailure title={strings.loadFailed} error={query.error} retry={query.refetch} />
        )
      ) : (
        <Stack gap="xl">
          <Figures usage={query.data} />
          <UsageByDay
            days={query.data.days}
            range={days}
            onRange={(next) => void navigate({ search: (search) => ({ ...search, days: next }), replace: true })}
          />
        </Stack>
      )}
    </>
  );
}

function Figures({
  usage: { plan, seats, signupCredit, seatBudget, storage, reserved, spent },
}: {
  usage: OrganizationUsage;
}): ReactElement {
  return (
    <SimpleGrid cols={{ base: 2, lg: 3 }} spacing={{ base: 'xs', sm: 'md' }}>
      <Figure name={strings.plan} value={sessionStrings.plan(plan)} />
      <Figure
        name={strings.seats}
        value={strings.seatsValue(seats.used, seats.capacity)}
        text={strings.seatsText}
        share={seats.used / seats.capacity}
      />
      <Figure
        name={strings.credit}
        text={strings.creditText}
        {...left(signupCredit.remaining, signupCredit.granted, strings.noCredit)}
      />
      <Figure
        name={strings.budget}
        text={strings.budgetText}
        {...left(seatBudget.remaining, seatBudget.monthly, strings.noBudget)}
      />
      <Figure
        name={strings.storage}
        value={strings.storageValue(formatBytes(storage.usedBytes), formatBytes(storage.limitBytes))}
        text={strings.storageText}
        share={storage.limitBytes === 0 ? 1 : storage.usedBytes / storage.limitBytes}
      />
      <Figure name={strings.reserved} value={formatCost(reserved)} text={strings.reservedText} />
      <Figure name={strings.spent} value={formatCost(spent)} text={strings.spentText} />
    </SimpleGrid>
  );
}

function left(remaining: number, granted: number, none: string): { value: string; share?: number } {
  return granted === 0
    ? { value: none }
    : { value: strings.leftOf(formatCost(remaining), formatCost(granted)), share: 1 - remaining / granted };
}

/** `share` is the fraction used. */
function Figure({
  name,
  value,
  text,
  share,
}: {
  name: string;
  value: string;
  text?: string;
  share?: number;
}): ReactElement {
  return (
    <Card padding="md">
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text fw={650} fz="lg" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {value}
      </Text>
      {share !== undefined && <Progress value={toPercent(share)} my={6} size="sm" aria-label={`${name}: ${value}`} />}
      {text !== undefined && (
        <Text size="xs" c="dimmed" mt={2}>
          {text}
        </Text>
      )}
    </Card>
  );
}

function usageQuery(org: string, days: number) {
  return queryOptions({
    queryKey: [...api.usage.show.key(), org, days],
    queryFn: ({ signal }) => client.usage.show({ org, days }, { signal }),
  });
}
