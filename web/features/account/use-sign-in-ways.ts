import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, client } from '../../api/client.ts';
import { meQuery } from '../../session/me-query.ts';

/** How the person can sign in, and how this session began. */
export const signInWaysQuery = queryOptions({
  queryKey: api.account.signIn.key(),
  queryFn: ({ signal }) => client.account.signIn(undefined, { signal }),
});

/** A change of factors may also open or close organizations to this session. */
export async function refreshSignInWays(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: api.account.key() }),
    queryClient.invalidateQueries({ queryKey: meQuery.queryKey }),
  ]);
}
