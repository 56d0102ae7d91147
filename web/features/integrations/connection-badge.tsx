import { Badge } from '@mantine/core';
import type { ReactElement } from 'react';
import type { ListedConnection } from './queries.ts';
import { connectionStatusNames } from './strings.ts';

const COLORS = { valid: 'pine', expired: 'yellow', invalid: 'red' } as const satisfies Record<
  ListedConnection['status'],
  string
>;

export function ConnectionBadge({ status }: Pick<ListedConnection, 'status'>): ReactElement {
  return <Badge color={COLORS[status]}>{connectionStatusNames[status]}</Badge>;
}
