import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useEffect, useEffectEvent, useState } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { connections } from '../../api/runtime-client.ts';
import { connectionsQuery, type ListedConnector } from './queries.ts';
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
  /** Where to connect it, if not in the workspace of the page. */
  readonly find: (() => Promise<Workspace>) | undefined;
}

interface Connecting {
  /** Must be called from a click. Without a name, it is the default connection. */
  readonly connect: (connector: ListedConnector, name?: string, find?: Asked['find']) => void;
  readonly dialog: ReactElement | null;
}

/** Connects and reconnects apps: opens the connect page, waits for the connection, and confirms it. */
export function useConnect(
  here: WorkspaceNames,
  onElsewhere?: (app: string, workspace: Workspace) => void,
): Connecting {
  const { organization } = here;
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<Asked>();
  const [ended, setEnded] = useState<{ window: OpenedWindow; how: WindowEnd }>();
  const session = useMutation({
    mutationFn: async ({ connector, name, find, opened }: Asked & { opened: OpenedWindow }) => {
      try {
        const provider = connector.id;
        const elsewhere = await find?.();
        const place = elsewhere === undefined ? here : { organization, workspace: elsewhere.id };
        const known = await queryClient.ensureQueryData(connectionsQuery(place));
        const before = findAt(known, { provider, name: name ?? 'default' });
        const made = await connections.openSession(
          { provider, workspace: place.workspace, ...(name === undefined ? {} : { name }) },
          { context: { organization, access: 'write' } },
        );
        return { ...made, elsewhere, place, before, opened, blocked: !opened.show(made.connectLink) };
      } catch (error) {
        opened.close();
        throw error;
      }
    },
  });
  const { data: made } = session;
  const place = made?.place ?? here;
  const { data: list = [] } = useQuery({
    ...connectionsQuery(place),
    refetchInterval: session.isSuccess ? LOOK_AGAIN_MS : false,
    enabled: !session.isIdle,
  });
  const now = asked && findAt(list, { provider: asked.connector.id, name: asked.name ?? 'default' });
  const done = made !== undefined && isAuthorized(made.before, now);

  const finish = useEffectEvent(() => {
    const app = asked?.connector.name ?? '';
    session.reset();
    if (made?.elsewhere === undefined) toastDone(strings.done(app));
    else onElsewhere?.(app, made.elsewhere);
  });
  useEffect(() => {
    if (done) finish();
  }, [done]);

  // The list is checked before anything is reported, since the window also closes after a success. Polling continues:
  // the person may still approve in the same window. What a window before this one said may come only now.
  const end = useEffectEvent(async (window: OpenedWindow, how: WindowEnd) => {
    if (ended?.window === window) return;
    await queryClient.refetchQueries({ queryKey: connectionsQuery(place).queryKey });
    setEnded({ window, how });
  });
  useEffect(() => {
    if (made === undefined || made.blocked) return undefined;
    return made.opened.watch((how) => void end(made.opened, how));
  }, [made]);

  const connect = (connector: ListedConnector, name?: string, find?: Asked['find']): void => {
    setAsked({ connector, name, find });
    session.mutate({ connector, name, find, opened: openWindow() });
  };
  return {
    connect,
    dialog:
      asked === undefined || session.isIdle ? null : (
        <ConnectDialog
          app={asked.connector.name}
          session={session.data}
          ended={made !== undefined && ended?.window === made.opened ? ended.how : undefined}
          error={session.error}
          onAgain={() => connect(asked.connector, asked.name, asked.find)}
          onClose={session.reset}
        />
      ),
  };
}
