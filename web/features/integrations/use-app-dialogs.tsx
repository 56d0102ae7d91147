import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { toastDone } from '../../kit/toasts.tsx';
import { useSignedIn } from '../../session/organization-context.ts';
import type { AppActions } from './app-card.tsx';
import { AskDialog } from './ask-dialog.tsx';
import { isShared } from './connection-state.ts';
import { connectionStrings } from './connection-strings.ts';
import { DisconnectDialog } from './disconnect-dialog.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { openPersonalWorkspace } from './personal-workspace.ts';
import { type ListedConnection, type ListedConnector, workspaceMembersQuery } from './queries.ts';
import { askStrings } from './strings.ts';
import { ToolsDialog } from './tools-dialog.tsx';
import { useConnect } from './use-connect.tsx';

const route = getRouteApi('/signed/app/integrations');

type Open =
  | { readonly dialog: 'ask' | 'tools' | 'import'; readonly connector: ListedConnector }
  | { readonly dialog: 'disconnect'; readonly connector: ListedConnector; readonly connection: ListedConnection };

/** What the buttons of an app do, and the dialog that one of them has opened. */
export function useAppDialogs(workspace: Workspace): { actions: AppActions; dialogs: ReactElement } {
  const place = { organization: workspace.organization, workspace: workspace.id };
  const { user } = useSignedIn();
  const queryClient = useQueryClient();
  const navigate = route.useNavigate();
  const { connect, dialog } = useConnect(place, (app, own) => {
    toastDone(askStrings.ownDone(app, own.name));
    void navigate({ search: (before) => ({ ...before, workspace: own.slug }) });
  });
  const asksFirst = useIsShared(workspace);
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  const actions: AppActions = {
    connect: (connector) => (asksFirst ? setOpen({ dialog: 'ask', connector }) : connect(connector)),
    reconnect: (connector, { name }) => connect(connector, name === 'default' ? undefined : name),
    showTools: (connector) => setOpen({ dialog: 'tools', connector }),
    startImport: (connector) => setOpen({ dialog: 'import', connector }),
    disconnect: (connector, connection) => setOpen({ dialog: 'disconnect', connector, connection }),
  };
  const dialogs = (
    <>
      {dialog}
      {open?.dialog === 'ask' && (
        <AskDialog
          connector={open.connector}
          workspace={workspace}
          onConnect={() => {
            close();
            connect(open.connector);
          }}
          onConnectOwn={() => {
            close();
            connect(open.connector, undefined, () =>
              openPersonalWorkspace(queryClient, { organization: workspace.organization, user }),
            );
          }}
          onClose={close}
        />
      )}
      {open?.dialog === 'tools' && <ToolsDialog connector={open.connector} onClose={close} />}
      {open?.dialog === 'import' && <ImportDialog place={place} connector={open.connector} onClose={close} />}
      {open?.dialog === 'disconnect' && (
        <DisconnectDialog
          workspace={workspace}
          connection={open.connection}
          title={connectionStrings.titleOf(open.connector.name, open.connection.name)}
          onClose={close}
        />
      )}
    </>
  );
  return { actions, dialogs };
}

function useIsShared({ id, kind }: Workspace): boolean {
  const { user } = useSignedIn();
  const { data } = useQuery({ ...workspaceMembersQuery(id), enabled: kind === 'named' });
  return isShared(kind, data, user.id);
}
