import { Badge } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Connection } from './queries.ts';
import { statusNames } from './strings.ts';

const COLORS = { valid: 'pine', expired: 'yellow', invalid: 'red' } as const satisfies Record<
  Connection['status'],
  string
>;

export function ConnectionBadge({ status }: Pick<Connection, 'status'>): ReactElement {
  return <Badge color={COLORS[status]}>{statusNames[status]}</Badge>;
}
