import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { SpendBy } from '../../../src/contract/spend.ts';
import { byCursor, pageAt } from '../../api/by-cursor.ts';
import { api, client } from '../../api/client.ts';

export interface Period {
  readonly from: string;
  readonly to: string;
}

export function spendQuery(org: string, by: SpendBy, { from, to }: Period) {
  return infiniteQueryOptions({
    queryKey: [...api.spend.show.key(), org, by, from, to],
    queryFn: ({ pageParam, signal }) => client.spend.show({ org, by, from, to, ...pageAt(pageParam) }, { signal }),
    ...byCursor,
  });
}

/** At most a row per day of the period. */
export function spendByDayQuery(org: string, { from, to }: Period) {
  return queryOptions({
    queryKey: [...api.spend.show.key(), org, 'day', from, to, 'whole'],
    queryFn: ({ signal }) => client.spend.show({ org, by: 'day', from, to, limit: 200 }, { signal }),
  });
}

export function mySpendQuery(organization: string) {
  return queryOptions({
    queryKey: [...api.spend.mine.key(), organization],
    queryFn: ({ signal }) => client.spend.mine({ organization }, { signal }),
    // What is left changes with every request, without a notice.
    refetchInterval: 60_000,
  });
}

export function capsQuery(org: string) {
  return infiniteQueryOptions({
    queryKey: [...api.spend.caps.list.key(), org],
    queryFn: ({ pageParam, signal }) => client.spend.caps.list({ org, ...pageAt(pageParam) }, { signal }),
    ...byCursor,
  });
}

export function requestsQuery(org: string, id: string) {
  return infiniteQueryOptions({
    queryKey: [...api.spend.requests.key(), org, id],
    queryFn: ({ pageParam, signal }) =>
      client.spend.requests({ org, ...(id === '' ? {} : { id }), ...pageAt(pageParam) }, { signal }),
    ...byCursor,
  });
}
