import { Button, Card, Group, SegmentedControl, Stack, Tabs, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { SpendBy } from '../../../src/contract/spend.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { saveFile } from '../../kit/save-file.ts';
import { TabLine } from '../../kit/tab-line.tsx';
import { toastFault } from '../../kit/toasts.tsx';
import { useSignedIn } from '../../session/organization-context.ts';
import { CapsSection } from './caps-section.tsx';
import { DayChart } from './day-chart.tsx';
import { RequestsSection } from './requests-section.tsx';
import { daysOf, PERIODS, periodOf, type PeriodName } from './spend-periods.ts';
import { type Period, spendByDayQuery, spendQuery } from './spend-queries.ts';
import { spendStrings as strings } from './spend-strings.ts';
import { SpendTable } from './spend-table.tsx';
import type { DaySum } from './sum-usage.ts';
import { showCost } from './show-cost.ts';
import { formatCost, formatDay, formatExactCost, formatNumber } from '../../language/format.ts';

const route = getRouteApi('/signed/app/organization/settings/spending');
type ShownBy = keyof typeof strings.byNames & SpendBy;

export function SpendingPage(): ReactElement {
  const { tab: asked, by: askedBy, period: askedPeriod, request } = route.useSearch();
  const navigate = route.useNavigate();
  const tab = asked !== undefined && Object.hasOwn(strings.tabs, asked) ? (asked as keyof typeof strings.tabs) : 'who';
  const by = askedBy !== undefined && Object.hasOwn(strings.byNames, askedBy) ? (askedBy as ShownBy) : 'member';
  const period = PERIODS.find((name) => name === askedPeriod) ?? 'month';
  const show = (change: Record<string, string | undefined>): void =>
    void navigate({ search: (search) => ({ ...search, ...change }), replace: true });
  return (
    <>
      <PageHeader title={strings.title} description={strings.description} />
      <Tabs value={tab} onChange={(next) => show({ tab: next ?? undefined })} keepMounted={false}>
        <TabLine names={strings.tabs} current={tab} />
        <Tabs.Panel value="who">
          <WhoSpent
            by={by}
            name={period}
            onBy={(next) => show({ by: next })}
            onPeriod={(next) => show({ period: next })}
          />
        </Tabs.Panel>
        <Tabs.Panel value="caps">
          <CapsSection />
        </Tabs.Panel>
        <Tabs.Panel value="requests">
          <RequestsSection
            wanted={request ?? ''}
            onWanted={(next) => show({ request: next === '' ? undefined : next })}
          />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

interface WhoSpentProps {
  by: ShownBy;
  name: PeriodName;
  onBy: (by: string) => void;
  onPeriod: (name: string) => void;
}

function WhoSpent({ by, name, onBy, onPeriod }: WhoSpentProps): ReactElement {
  const { organization } = useSignedIn();
  const [now] = useState(() => new Date());
  const period = periodOf(name, now);
  const query = useInfiniteQuery({ ...spendQuery(organization.id, by, period), placeholderData: (before) => before });
  const totals = query.data?.pages[0]?.totals;
  return (
    <Stack gap="lg">
      <Group justify="space-between" gap="sm">
        <SegmentedControl
          aria-label={strings.by}
          data={Object.entries(strings.byNames).map(([value, label]) => ({ value, label }))}
          value={by}
          onChange={onBy}
          style={{ maxWidth: '100%', overflowX: 'auto' }}
        />
        <SegmentedControl
          aria-label={strings.period}
          data={PERIODS.map((value) => ({ value, label: strings.periods[value] }))}
          value={name}
          onChange={onPeriod}
        />
      </Group>
      {totals !== undefined && totals.requests > 0 && <Trend period={period} />}
      <Group justify="space-between" gap="sm">
        <Text fw={600}>
          {totals === undefined ? '' : strings.total(showCost(totals), formatNumber(totals.requests))}
        </Text>
        <Button
          variant="default"
          leftSection={<Icon name="file" size={16} />}
          onClick={() => void saveCsv(organization.id, by, period)}
        >
          {strings.csv}
        </Button>
      </Group>
      <SpendTable query={query} />
      <Text size="sm" c="dimmed">
        {strings.note}
      </Text>
    </Stack>
  );
}

function Trend({ period }: { period: Period }): ReactElement | null {
  const { organization } = useSignedIn();
  const { data } = useQuery({ ...spendByDayQuery(organization.id, period), placeholderData: (before) => before });
  if (data === undefined) return null;
  const costs = new Map(data.rows.map(({ key, cost }) => [key, cost]));
  const sums: DaySum[] = daysOf(period).map((date) => ({ date, value: costs.get(date) ?? 0 }));
  const highest = sums.reduce<DaySum>((best, day) => (day.value > best.value ? day : best), { date: '', value: -1 });
  return (
    <Card>
      <DayChart
        days={sums}
        label={strings.chart(formatCost(data.total), formatCost(highest.value), formatDay(highest.date))}
        scale={formatExactCost}
        titleOf={({ date, value }) => strings.bar(formatDay(date), formatCost(value))}
      />
    </Card>
  );
}

/** The same rows as on the page, all of them. */
async function saveCsv(org: string, by: SpendBy, { from, to }: Period): Promise<void> {
  const query = new URLSearchParams({ by, from, to });
  try {
    const response = await fetch(`/api/organizations/${encodeURIComponent(org)}/spend?${query}`, {
      headers: { accept: 'text/csv' },
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    await saveFile(response, `spend-at-list-price-by-${by}-${from}-to-${to}.csv`);
  } catch (error) {
    toastFault(error);
  }
}
