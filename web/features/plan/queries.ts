import { queryOptions } from '@tanstack/react-query';
import { api, client } from '../../api/client.ts';

export function usageQuery(org: string, days: number) {
  return queryOptions({
    queryKey: [...api.usage.show.key(), org, days],
    queryFn: ({ signal }) => client.usage.show({ org, days }, { signal }),
  });
}
