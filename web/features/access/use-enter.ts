import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { meQuery } from '../../session/me-query.ts';
import { safeNext } from './safe-next.ts';

/**
 * Leaves with a page load: the target may be a page of the app or a server route (a pending authorization), and nothing
 * fetched before signing in may remain. Someone who is already signed in is sent on immediately.
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
