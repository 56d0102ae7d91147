import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { followChanges } from './live.ts';

/** Keeps the page up to date while it shows this organization. */
export function useLiveChanges(organization: string | undefined): void {
  const queryClient = useQueryClient();
  useEffect(
    () => (organization === undefined ? undefined : followChanges(queryClient, organization)),
    [queryClient, organization],
  );
}
