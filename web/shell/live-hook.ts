import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { followChanges } from './live.ts';

/** Keeps everything on the page fresh for as long as the page stands in this organization. */
export function useLiveChanges(organization: string | undefined): void {
  const queryClient = useQueryClient();
  useEffect(
    () => (organization === undefined ? undefined : followChanges(queryClient, organization)),
    [queryClient, organization],
  );
}
