import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { Icon } from '../../kit/look/icons.tsx';
import { useSignedIn } from '../../session/organization-context.ts';
import { common } from '../../kit/strings.ts';
import { AppMark } from './app-mark.tsx';
import { type ListedConnector, workspaceMembersQuery } from './queries.ts';
import { askStrings as strings } from './strings.ts';
import { formatList } from '../../language/format.ts';

interface AskDialogProps {
  connector: ListedConnector;
  workspace: Workspace;
  onConnect: () => void;
  /** Connects it in a workspace of which the person is the only member. */
  onConnectOwn: () => void;
  onClose: () => void;
}

/** Says what an app can read and who can use it, before it is connected to a workspace that others share. */
export function AskDialog({ connector, workspace, onConnect, onConnectOwn, onClose }: AskDialogProps): ReactElement {
  const isPersonal = connector.personal === true;
  return (
    <Dialog onClose={onClose} title={strings.title(connector.name, workspace.name)}>
      <Stack>
        <Group gap="sm" wrap="nowrap">
          <AppMark id={connector.id} name={connector.name} />
          <Text size="sm">{connector.purpose}</Text>
        </Group>
        <dl className="ask">
          <dt>{strings.reads}</dt>
          <dd>{connector.reads === undefined ? strings.readsUnknown : strings.readsText(connector.reads)}</dd>
          <dt>{strings.writes}</dt>
          <dd>{describeWrites(connector)}</dd>
          <dt>{strings.who}</dt>
          <dd>
            <WhoCanUse workspace={workspace} />
          </dd>
        </dl>
        {isPersonal && (
          <Alert color="yellow" icon={<Icon name="shield" />} role="note">
            {strings.own(connector.name)} {strings.ownNote}
          </Alert>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button variant={isPersonal ? 'default' : 'filled'} onClick={onConnect}>
            {strings.connect(workspace.name)}
          </Button>
          {isPersonal && (
            <Button data-autofocus onClick={onConnectOwn}>
              {strings.connectOwn}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

function describeWrites({ tools, surface }: ListedConnector): string {
  if (surface === 'provider-mcp') return strings.discoveredWrites;
  if (surface === 'command-auth') return strings.commandWrites;
  const writes = tools.filter(({ access }) => access === 'write').map(({ name }) => name);
  return writes.length === 0 ? strings.noWrites : strings.writesText(writes.join(', '));
}

const MOST_NAMES = 4;

function WhoCanUse({ workspace }: { workspace: Workspace }): ReactElement {
  const { organization, user } = useSignedIn();
  const { data } = useQuery({ ...workspaceMembersQuery(workspace.id), enabled: workspace.kind === 'named' });
  if (workspace.kind === 'default') return <>{strings.everyone(organization.name, workspace.name)}</>;
  const others = data?.members.filter((member) => member.user !== user.id).map(({ name }) => name) ?? [];
  const left = others.length - MOST_NAMES;
  const names = [
    strings.you,
    ...others.slice(0, MOST_NAMES),
    ...(data?.more === true ? [strings.manyMore] : left > 0 ? [strings.more(left)] : []),
  ];
  return <>{strings.members(formatList(names), workspace.name)}</>;
}
