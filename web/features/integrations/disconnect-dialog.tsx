import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { connections } from '../../api/runtime-client.ts';
import { type ListedConnection, connectionsQuery } from './queries.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { integrationStrings as strings } from './strings.ts';

interface DisconnectDialogProps {
  workspace: Workspace;
  connection: ListedConnection;
  /** Its display name. */
  title: string;
  onClose: () => void;
  onDone?: () => void;
}

export function DisconnectDialog({
  workspace,
  connection,
  title,
  onClose,
  onDone,
}: DisconnectDialogProps): ReactElement {
  const queryClient = useQueryClient();
  const { organization } = workspace;
  const { queryKey } = connectionsQuery({ organization, workspace: workspace.id });
  return (
    <ConfirmDialog
      title={strings.disconnectTitle(title)}
      text={strings.disconnectText(workspace.name)}
      confirm={strings.disconnect}
      act={() =>
        connections.remove(
          { params: { id: connection.id }, query: { workspace: workspace.id } },
          { context: { organization, access: 'write' } },
        )
      }
      onClose={onClose}
      onDone={() => {
        onClose();
        queryClient.setQueryData(queryKey, (before) => before?.filter(({ id }) => id !== connection.id));
        void queryClient.invalidateQueries({ queryKey });
        toastDone(strings.disconnected(title));
        onDone?.();
      }}
    />
  );
}
