import { List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { readFault } from '../../api/fault.ts';
import { formatDate } from '../../language/format.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { type Times, timesQuery } from './queries.ts';
import { scheduleStrings as strings } from './strings.ts';

/** The next five times in the person's own zone, or why there are none. */
export function NextTimes({ times }: { times: Times }): ReactElement | null {
  const { organization } = useSignedIn();
  const { data, error } = useQuery(timesQuery(organization.id, times));
  if (error !== null)
    return (
      <Text size="sm" c="red" role="alert">
        {readFault(error).text}
      </Text>
    );
  if (data === undefined) return null;
  return (
    <div>
      <Text size="sm" c="dimmed">
        {data.length === 0 ? strings.noTimes : strings.nextTimes}
      </Text>
      <List size="sm" aria-label={strings.nextTimes}>
        {data.map((at) => (
          <List.Item key={at}>
            <time dateTime={at}>{formatDate(at, 'moment')}</time>
          </List.Item>
        ))}
      </List>
    </div>
  );
}
