import { queryOptions } from '@tanstack/react-query';
import type { client } from '../api/client.ts';
import { call } from '../api/identity.ts';

/** Who is signed in. The sign-in page asks as well, so this does without the typed client, which is not loaded there. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async () => (await call('GET', '/api/me')) as Awaited<ReturnType<typeof client.me>>,
  staleTime: 30_000,
});
