import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { meQuery } from '../../session/me-query.ts';
import { safeNext } from '../../../src/contract/accounts/safe-next.ts';

/**
 * Leaves with a page load: the target may be a page of the app or a server route (a pending authorization), and nothing
 * fetched before signing in may remain. Someone who is already signed in is sent on immediately, unless there is something
 * to read first.
 */
export function useEnter(next: string | undefined, { stays = false } = {}): { enter: () => void; signedIn: boolean } {
  const enter = (): void => window.location.replace(safeNext(next, window.location.origin));
  const { data, isFetchedAfterMount } = useQuery({
    ...meQuery,
    retry: false,
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
  });
  const signedIn = data !== undefined && isFetchedAfterMount;
  useEffect(() => {
    if (signedIn && !stays) window.location.replace(safeNext(next, window.location.origin));
  }, [signedIn, stays, next]);
  return { enter, signedIn };
}
