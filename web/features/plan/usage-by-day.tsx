import { Button, Card, Center, Group, SegmentedControl, Stack, Table, Text, Title } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import type { OrganizationUsage } from '../../../src/contract/usage.ts';
import { EmptyCard } from '../../kit/empty-card.tsx';
import { useModelName } from '../models-and-keys/use-model-name.ts';
import { DayChart } from './day-chart.tsx';
import { type DaySum, sumUsage, type UsageMetric } from './sum-usage.ts';
import { planStrings as strings } from './strings.ts';
import { formatCost, formatDay, formatExactCost, formatNumber } from '../../language/format.ts';

const MOST_ROWS = 50;
const METRICS = Object.entries(strings.metrics).map(([value, label]) => ({ value: value as UsageMetric, label }));

interface UsageByDayProps {
  days: OrganizationUsage['days'];
  /** The number of days, as in the address. */
  range: string;
  onRange: (range: string) => void;
}

export function UsageByDay({ days, range, onRange }: UsageByDayProps): ReactElement {
  const [metric, setMetric] = useState<UsageMetric>('cost');
  return (
    <section aria-labelledby="usage">
      <Group justify="space-between" mb="sm">
        <Title order={2} id="usage">
          {strings.usage}
        </Title>
        <SegmentedControl
          aria-label={strings.range}
          data={Object.entries(strings.ranges).map(([value, label]) => ({ value, label }))}
          value={range}
          onChange={onRange}
        />
      </Group>
      {days.length === 0 ? (
        <EmptyCard title={strings.empty} text={strings.emptyText} />
      ) : (
        <Stack gap="lg">
          <Chart days={days} range={range} metric={metric} onMetric={setMetric} />
          <UsageTable days={days} />
        </Stack>
      )}
    </section>
  );
}

function Chart({
  days,
  range,
  metric,
  onMetric,
}: {
  days: OrganizationUsage['days'];
  range: string;
  metric: UsageMetric;
  onMetric: (metric: UsageMetric) => void;
}): ReactElement {
  const [now] = useState(() => Date.now());
  const sums = sumUsage(days, metric, Number(range), now);
  const format = metric === 'cost' ? formatCost : formatNumber;
  const total = format(sums.reduce((sum, { value }) => sum + value, 0));
  const highest = sums.reduce<DaySum>((best, day) => (day.value > best.value ? day : best), { date: '', value: -1 });
  return (
    <Card>
      <Group justify="space-between" mb="md">
        <Text fw={550}>{strings.total(total)}</Text>
        <SegmentedControl
          aria-label={strings.metric}
          data={METRICS}
          value={metric}
          onChange={(value) => onMetric(value)}
        />
      </Group>
      <DayChart
        days={sums}
        scale={metric === 'cost' ? formatExactCost : formatNumber}
        label={strings.chart(strings.metrics[metric], total, format(highest.value), formatDay(highest.date))}
        titleOf={({ date, value }) => strings.bar(formatDay(date), format(value))}
      />
    </Card>
  );
}

function UsageTable({ days }: { days: OrganizationUsage['days'] }): ReactElement {
  const modelName = useModelName();
  const [all, setAll] = useState(false);
  const shown = all ? days : days.slice(0, MOST_ROWS);
  const numeric = { ta: 'right', style: { fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' } } as const;
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- wider than a phone: it scrolls inside its frame, with the keyboard too */}
      <section className="table-frame" aria-label={strings.table} tabIndex={0}>
        <Table verticalSpacing="xs" horizontalSpacing="xs" fz="sm">
          <Table.Thead>
            <Table.Tr>
              {Object.entries(strings.columns).map(([column, title], at) => (
                <Table.Th
                  key={column}
                  scope="col"
                  style={at > 1 ? { whiteSpace: 'nowrap', textAlign: 'end' } : { textAlign: 'start' }}
                >
                  {title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((day) => (
              <Table.Tr key={`${day.date}/${day.model}/${day.served}/${day.provider}/${day.credential}`}>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatDay(day.date)}</Table.Td>
                <Table.Td>
                  {modelName(day.model, day.served)}
                  <Text size="xs" c="dimmed">
                    {day.provider} · {strings.credentials[day.credential]}
                  </Text>
                </Table.Td>
                <Table.Td {...numeric}>{formatNumber(day.requests)}</Table.Td>
                <Table.Td {...numeric}>{formatCost(day.cost)}</Table.Td>
                <Table.Td {...numeric}>{formatNumber(day.inputTokens)}</Table.Td>
                <Table.Td {...numeric}>{formatNumber(day.outputTokens)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      {shown.length < days.length && (
        <Center>
          <Button variant="default" onClick={() => setAll(true)}>
            {strings.more(days.length)}
          </Button>
        </Center>
      )}
    </>
  );
}
