import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { abortRun, runKeys } from './queries.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { useSignedIn } from '../../session/organization-context.ts';
import { runStrings as strings } from './strings.ts';

export function AbortRun({ id, size = 'sm' }: { id: string; size?: string }): ReactElement {
  const { organization } = useSignedIn();
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
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
          act={() => abortRun(organization.id, id)}
          onDone={() => {
            setAsking(false);
            toastDone(strings.aborted);
            void queryClient.invalidateQueries({ queryKey: runKeys.one(id) });
            void queryClient.invalidateQueries({ queryKey: runKeys.lists });
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
