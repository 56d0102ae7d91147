import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useEffect, useEffectEvent, useState } from 'react';
import { connections } from '../../api/runtime-client.ts';
import { type ListedConnection, connectionsQuery, type ListedConnector } from './queries.ts';
import type { WorkspaceNames } from '../../api/workspace-names.ts';
import { toastDone } from '../../kit/toasts.tsx';
import { connectingStrings as strings } from './strings.ts';
import { ConnectDialog } from './connect-dialog.tsx';
import { findAt, isAuthorized } from './connection-state.ts';
import { type OpenedWindow, openWindow, type WindowEnd } from './open-window.ts';

/** Polling finds an authorization whose webhook did not arrive. */
const LOOK_AGAIN_MS = 5_000;

interface Asked {
  readonly connector: ListedConnector;
  readonly name: string | undefined;
  readonly before: ListedConnection | undefined;
}

interface Connecting {
  /** Must be called from a click. Without a name, it is the default connection. */
  readonly connect: (connector: ListedConnector, name?: string) => void;
  readonly dialog: ReactElement | null;
}

/** Connects and reconnects apps: opens the connect page, waits for the connection, and confirms it. */
export function useConnect(place: WorkspaceNames): Connecting {
  const { organization, workspace } = place;
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<Asked>();
  const [ended, setEnded] = useState<WindowEnd>();
  const session = useMutation({
    mutationFn: async ({
      provider,
      name,
      opened,
    }: {
      provider: string;
      name: string | undefined;
      opened: OpenedWindow;
    }) => {
      try {
        const made = await connections.openSession(
          { provider, workspace, ...(name === undefined ? {} : { name }) },
          { context: { organization, access: 'write' } },
        );
        return { ...made, opened, blocked: !opened.show(made.connectLink) };
      } catch (error) {
        opened.close();
        throw error;
      }
    },
  });
  const { data: list = [] } = useQuery({
    ...connectionsQuery(place),
    refetchInterval: session.isSuccess ? LOOK_AGAIN_MS : false,
    enabled: !session.isIdle,
  });
  const now = asked && findAt(list, { provider: asked.connector.id, name: asked.name ?? 'default' });
  const done = asked !== undefined && session.isSuccess && isAuthorized(asked.before, now);

  const finish = useEffectEvent(() => {
    if (asked !== undefined) toastDone(strings.done(asked.connector.name));
    session.reset();
  });
  useEffect(() => {
    if (done) finish();
  }, [done]);

  // The list is checked before anything is reported, since the window also closes after a success. Polling continues:
  // the person may still approve in the same window.
  const { data: made } = session;
  const end = useEffectEvent(async (how: WindowEnd) => {
    await queryClient.refetchQueries({ queryKey: connectionsQuery(place).queryKey });
    setEnded(how);
  });
  useEffect(() => (made === undefined || made.blocked ? undefined : made.opened.watch((how) => void end(how))), [made]);

  const connect = (connector: ListedConnector, name?: string): void => {
    setEnded(undefined);
    const known = queryClient.getQueryData(connectionsQuery(place).queryKey) ?? [];
    setAsked({ connector, name, before: findAt(known, { provider: connector.id, name: name ?? 'default' }) });
    session.mutate({ provider: connector.id, name, opened: openWindow() });
  };
  return {
    connect,
    dialog:
      asked === undefined || session.isIdle ? null : (
        <ConnectDialog
          app={asked.connector.name}
          session={session.data}
          ended={ended}
          error={session.error}
          onAgain={() => connect(asked.connector, asked.name)}
          onClose={session.reset}
        />
      ),
  };
}
