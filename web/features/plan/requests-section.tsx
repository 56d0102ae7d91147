import { Table, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect, useState } from 'react';
import type { LoggedRequest } from '../../../src/contract/spend.ts';
import { ListState } from '../../kit/list-state.tsx';
import { MoreRows } from '../../kit/rows.tsx';
import { ShowDate } from '../../kit/show-date.tsx';
import { usePeople, useSignedIn } from '../../session/organization-context.ts';
import { useModelName } from '../models-and-keys/use-model-name.ts';
import { requestsQuery } from './spend-queries.ts';
import { spendStrings } from './spend-strings.ts';
import { formatNumber, formatExactCost } from '../../language/format.ts';

const strings = spendStrings.requests;
const numeric = { ta: 'right', style: { fontVariantNumeric: 'tabular-nums' } } as const;
const WAIT_MS = 300;

export function RequestsSection({
  wanted,
  onWanted,
}: {
  wanted: string;
  onWanted: (id: string) => void;
}): ReactElement {
  const { organization } = useSignedIn();
  const people = usePeople();
  const modelName = useModelName();
  const [typed, setTyped] = useState(wanted);
  const [id] = useDebouncedValue(typed.trim(), WAIT_MS);
  useEffect(() => {
    if (id !== wanted) onWanted(id);
  }, [id, wanted, onWanted]);
  const query = useInfiniteQuery(requestsQuery(organization.id, id));
  const rows = query.data?.pages.flatMap((page) => page.requests) ?? [];
  return (
    <section aria-labelledby="requests">
      <Title order={2} id="requests">
        {strings.title}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {strings.text}
      </Text>
      <TextInput
        label={strings.find}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        maxLength={128}
        autoComplete="off"
        spellCheck={false}
        mb="md"
        maw={420}
      />
      <ListState
        query={query}
        isEmpty={rows.length === 0}
        empty={{ icon: 'search', title: strings.empty, text: strings.emptyText }}
      >
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- wider than a phone: it scrolls inside its frame, with the keyboard too */}
        <section className="table-frame" aria-label={strings.table} tabIndex={0}>
          <Table verticalSpacing="xs" horizontalSpacing="sm" fz="sm" style={{ whiteSpace: 'nowrap' }}>
            <Table.Thead>
              <Table.Tr>
                {Object.entries(strings.columns).map(([column, title]) => (
                  <Table.Th key={column} scope="col">
                    {title}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <RequestRow
                  key={`${row.id}/${row.at}/${row.surface}/${row.served}`}
                  row={row}
                  member={people.get(row.member) ?? row.member}
                  model={modelName(row.model, row.served)}
                />
              ))}
            </Table.Tbody>
          </Table>
        </section>
        <MoreRows query={query} />
      </ListState>
    </section>
  );
}

function RequestRow({ row, member, model }: { row: LoggedRequest; member: string; model: string }): ReactElement {
  return (
    <Table.Tr>
      <Table.Td>
        <ShowDate at={row.at} />
      </Table.Td>
      <Table.Td>{member}</Table.Td>
      <Table.Td>{model}</Table.Td>
      <Table.Td>{row.surface}</Table.Td>
      <Table.Td>{row.project ?? '–'}</Table.Td>
      <Table.Td>{row.status}</Table.Td>
      <Table.Td {...numeric}>{row.cost === null ? spendStrings.unknown : formatExactCost(row.cost)}</Table.Td>
      <Table.Td {...numeric}>
        {formatNumber(row.inputTokens)} / {formatNumber(row.outputTokens)}
      </Table.Td>
      <Table.Td {...numeric}>
        {strings.ms(
          row.firstTokenMs === undefined ? '–' : formatNumber(row.firstTokenMs),
          formatNumber(row.durationMs),
        )}
      </Table.Td>
      <Table.Td>{row.id}</Table.Td>
    </Table.Tr>
  );
}
