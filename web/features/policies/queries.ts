import { queryOptions } from '@tanstack/react-query';
import { api, client } from '../../api/client.ts';

export function policyQuery(org: string) {
  return queryOptions({
    queryKey: [...api.policy.show.key(), org],
    queryFn: ({ signal }) => client.policy.show({ org }, { signal }),
  });
}
