import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { abortRun, type RunView, runKeys } from './queries.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { managesOrganization, useSignedIn } from '../../session/organization-context.ts';
import { workspacesQuery } from '../../session/queries.ts';
import { mayAbort } from './may-abort.ts';
import { runStrings as strings } from './strings.ts';

/** Nothing for those who may not abort it. */
export function AbortRun({
  run,
  size = 'sm',
}: {
  run: Pick<RunView, 'id' | 'createdBy' | 'workspace'>;
  size?: string;
}): ReactElement | null {
  const { user, organization } = useSignedIn();
  const { data: workspaces = [] } = useQuery(workspacesQuery(organization.id));
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const aborter = { userId: user.id, managesOrganization: managesOrganization(organization), workspaces };
  if (!mayAbort(run, aborter)) return null;
  return (
    <>
      <Button variant="default" size={size} onClick={() => setAsking(true)}>
        {strings.abort}
      </Button>
      {asking && (
        <ConfirmDialog
          title={strings.abortTitle}
          text={strings.abortText}
          confirm={strings.abort}
          act={() => abortRun(organization.id, run.id)}
          onDone={() => {
            setAsking(false);
            toastDone(strings.aborted);
            void queryClient.invalidateQueries({ queryKey: runKeys.one(run.id) });
            void queryClient.invalidateQueries({ queryKey: runKeys.lists });
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
