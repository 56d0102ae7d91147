import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isUnauthenticated, readFault } from '../api/fault.ts';
import { isServerError } from '../api/server-error.ts';
import { meQuery } from './me-query.ts';
import { setSessionEnded } from './session-state.ts';

const RETRIES = 2;

export function createQueryClient(): QueryClient {
  const noticeEndedSession = (error: unknown): void => {
    // Before sign-in, the router handles a 401: it redirects to the sign-in page.
    if (isUnauthenticated(error) && queryClient.getQueryData(meQuery.queryKey) !== undefined) setSessionEnded(true);
    // The organization was closed to sessions like this one while a page of it was open.
    if (isServerError(error) && error.code === 'second_factor_required')
      void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
  };
  const queryClient = new QueryClient({
    queryCache: new QueryCache({ onError: noticeEndedSession }),
    mutationCache: new MutationCache({ onError: noticeEndedSession }),
    defaultOptions: {
      queries: { staleTime: 15_000, retry: (failures, error) => failures < RETRIES && isWorthRepeating(error) },
      // While offline, a change fails immediately instead of waiting unseen.
      mutations: { networkMode: 'always' },
    },
  });
  return queryClient;
}

function isWorthRepeating(error: unknown): boolean {
  const { status } = readFault(error);
  return status === 0 || status === 502 || status === 503 || status === 504;
}
