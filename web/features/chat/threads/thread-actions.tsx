import { ActionIcon, Menu } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { Thread } from '../../../../src/contract/threads.ts';
import { api, client } from '../../../api/client.ts';
import { Icon } from '../../../kit/look/icons.tsx';
import { onDemand } from '../../../kit/on-demand.tsx';
import { toastDone, toastFault } from '../../../kit/toasts.tsx';
import { moveStrings } from '../../projects/strings.ts';
import { threadStrings as strings } from '../strings.ts';

const MoveDialog = onDemand(async () => (await import('../../projects/move-dialog.tsx')).MoveDialog);
const ShareDialog = onDemand(async () => (await import('./share-dialog.tsx')).ShareDialog);
const RenameThread = onDemand(async () => (await import('./thread-dialogs.tsx')).RenameThread);
const DeleteThread = onDemand(async () => (await import('./thread-dialogs.tsx')).DeleteThread);

type Opened = 'rename' | 'move' | 'share' | 'delete';

interface ThreadActionsProps {
  thread: Thread;
  isOpen: boolean;
  /** Of its button, which a list leaves out of the order of tabs. */
  tabIndex?: -1;
}

/** The menu of a chat, in the list and above the conversation. */
export function ThreadActions({ thread, isOpen, tabIndex }: ThreadActionsProps): ReactElement {
  const [opened, setOpened] = useState<Opened>();
  const close = (): void => setOpened(undefined);
  const change = useThreadChange(thread.id);
  const exportAs = (format: 'markdown' | 'json'): string =>
    `/api/threads/${encodeURIComponent(thread.id)}/export?format=${format}`;
  return (
    <>
      <Menu position="bottom-end" width={200} returnFocus>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={strings.actionsOf(thread.title)}
            {...(tabIndex === undefined ? {} : { tabIndex })}
          >
            <Icon name="more" size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => change({ pinned: !thread.pinned })}>
            {thread.pinned ? strings.unpin : strings.pin}
          </Menu.Item>
          <Menu.Item onClick={() => setOpened('rename')}>{strings.rename}</Menu.Item>
          <Menu.Item onClick={() => change({ archived: !thread.archived })}>
            {thread.archived ? strings.restore : strings.archive}
          </Menu.Item>
          <Menu.Item onClick={() => setOpened('move')}>{moveStrings.action}</Menu.Item>
          <Menu.Item onClick={() => setOpened('share')}>{strings.share}</Menu.Item>
          <Menu.Divider />
          <Menu.Item component="a" href={exportAs('markdown')} download>
            {strings.exportMarkdown}
          </Menu.Item>
          <Menu.Item component="a" href={exportAs('json')} download>
            {strings.exportJson}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" onClick={() => setOpened('delete')}>
            {strings.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {opened === 'rename' && <RenameThread thread={thread} onClose={close} />}
      {opened === 'move' && <MoveDialog thread={thread} onClose={close} />}
      {opened === 'share' && <ShareDialog thread={thread} onClose={close} />}
      {opened === 'delete' && <DeleteThread thread={thread} isOpen={isOpen} onClose={close} />}
    </>
  );
}

export function useThreadChange(thread: string): (change: { pinned?: boolean; archived?: boolean }) => void {
  const queryClient = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: (change: { pinned?: boolean; archived?: boolean }) => client.threads.update({ thread, ...change }),
    onError: toastFault,
    onSuccess: (_thread, { archived }) => {
      if (archived !== undefined) toastDone(archived ? strings.archivedDone : strings.restored);
      return queryClient.invalidateQueries({ queryKey: api.threads.key() });
    },
  });
  return mutate;
}
