import { infiniteQueryOptions } from '@tanstack/react-query';
import { byCursor, pageAt } from '../../api/by-cursor.ts';
import { api, client } from '../../api/client.ts';

export function tokensQuery(organization: string) {
  return infiniteQueryOptions({
    queryKey: [...api.tokens.list.key(), organization],
    queryFn: ({ pageParam, signal }) => client.tokens.list({ organization, ...pageAt(pageParam) }, { signal }),
    ...byCursor,
  });
}
