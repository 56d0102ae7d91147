import { Progress, Table, Text } from '@mantine/core';
import type { ReactElement } from 'react';
import type { SpendPage } from '../../../src/contract/spend.ts';
import { type ListQuery, ListState } from '../../kit/list-state.tsx';
import { MoreRows } from '../../kit/rows.tsx';
import { useModelName } from '../models-and-keys/use-model-name.ts';
import { spendStrings as strings } from './spend-strings.ts';
import { showCost } from './show-cost.ts';
import { formatNumber, toPercent } from '../../language/format.ts';

const numeric = { ta: 'right', style: { fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' } } as const;

interface SpendTableProps {
  query: ListQuery & {
    data: { pages: SpendPage[] } | undefined;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage(): unknown;
  };
}

export function SpendTable({ query }: SpendTableProps): ReactElement {
  const modelName = useModelName();
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? [];
  const total = query.data?.pages[0]?.total ?? 0;
  return (
    <ListState
      query={query}
      isEmpty={rows.length === 0}
      empty={{ icon: 'chart', title: strings.empty, text: strings.emptyText }}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- wider than a phone: it scrolls inside its frame, with the keyboard too */}
      <section className="table-frame" aria-label={strings.table} tabIndex={0}>
        <Table verticalSpacing="xs" horizontalSpacing="xs" fz="sm">
          <Table.Thead>
            <Table.Tr>
              {Object.entries(strings.columns).map(([column, title], at) => (
                <Table.Th
                  key={column}
                  scope="col"
                  style={{ whiteSpace: 'nowrap', textAlign: at === 0 || at === 2 ? 'start' : 'end' }}
                >
                  {title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={`${row.key}/${row.served}`}>
                <Table.Td style={{ overflowWrap: 'break-word', minWidth: '9rem' }}>
                  {modelName(row.name, row.served)}
                  {row.key !== '' && row.key !== modelName(row.name) && (
                    <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
                      {row.key}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td {...numeric}>{showCost(row)}</Table.Td>
                <Table.Td miw={64}>
                  <Progress
                    value={toPercent(total === 0 ? 0 : row.cost / total)}
                    size="sm"
                    aria-label={`${strings.columns.share}: ${row.name}`}
                  />
                </Table.Td>
                <Table.Td {...numeric}>{formatNumber(row.requests)}</Table.Td>
                <Table.Td {...numeric}>
                  {formatNumber(row.inputTokens)} / {formatNumber(row.outputTokens)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      <MoreRows query={query} />
    </ListState>
  );
}
