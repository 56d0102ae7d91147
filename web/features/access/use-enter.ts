import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { meQuery } from '../../session/queries.ts';
import { safeNext } from './safe-next.ts';

/**
 * Leaves with a page load: the way on may be a page of the app or an address of the server (an authorization that
 * waits for its person), and nothing read before signing in may stay. Whoever is signed in already goes at once.
 */
export function useEnter(next: string | undefined): () => void {
  const enter = (): void => window.location.replace(safeNext(next, window.location.origin));
  const { data, isFetchedAfterMount } = useQuery({
    ...meQuery,
    retry: false,
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
  });
  const signedIn = data !== undefined && isFetchedAfterMount;
  useEffect(() => {
    if (signedIn) window.location.replace(safeNext(next, window.location.origin));
  }, [signedIn, next]);
  return enter;
}
