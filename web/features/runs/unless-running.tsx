import { useQuery } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import type { ShownRun } from '../../../src/contract/threads.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { isEnded, runQuery } from './queries.ts';

/** What makes no sense while a run is queued or works, such as trying again. */
export function UnlessRunning({ shown, children }: { shown: ShownRun; children: ReactNode }): ReactElement | null {
  const { organization } = useSignedIn();
  const { data } = useQuery(runQuery(organization.id, shown.id));
  const { status } = data ?? shown;
  return status !== undefined && !isEnded({ status }) ? null : <>{children}</>;
}
