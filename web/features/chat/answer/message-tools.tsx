// What can be done with a stored message besides copying and asking again: its versions, its rating, its time, a chat
// from here.
import { ActionIcon, Group, Menu, Text, VisuallyHidden } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { suggestPromptName } from '../../../../src/contract/prompt-template.ts';
import type { Message, MessageVersions } from '../../../../src/contract/threads.ts';
import { api, client } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../kit/confirm-dialog.tsx';
import { Icon } from '../../../kit/look/icons.tsx';
import { toastDone, toastFault } from '../../../kit/toasts.tsx';
import { RateAnswer } from '../../feedback/rate-answer.tsx';
import { PromptDialog } from '../../prompts/prompt-dialog.tsx';
import { promptStrings } from '../../prompts/strings.ts';
import { MessageTime } from './message-time.tsx';
import { threadQuery } from '../queries.ts';
import { versionStrings as strings } from '../strings.ts';
import { textOf } from './text-of.ts';

interface MessageToolsProps {
  /** Undefined until the chat has a thread. */
  thread: string | undefined;
  message: Message;
  /** Whether no answer is running, so that another version can be shown. */
  free: boolean;
}

export function MessageTools({ thread, message, free }: MessageToolsProps): ReactElement {
  const [deleting, setDeleting] = useState(false);
  const [saving, setSaving] = useState(false);
  const { versions } = message;
  const text = message.role === 'user' && message.wholeBytes === undefined ? textOf(message) : '';
  return (
    <Group gap={4} wrap="nowrap">
      {thread !== undefined && versions !== undefined && (
        <VersionSwitcher thread={thread} versions={versions} free={free} />
      )}
      {thread !== undefined && message.role === 'assistant' && message.metadata.error === undefined && (
        <RateAnswer thread={thread} message={message} />
      )}
      {thread !== undefined && (
        <MessageMenu
          thread={thread}
          message={message.id}
          onSave={text === '' ? undefined : () => setSaving(true)}
          onDelete={free && versions !== undefined ? () => setDeleting(true) : undefined}
        />
      )}
      {saving && <PromptDialog from={{ name: suggestPromptName(text), text }} onClose={() => setSaving(false)} />}
      <MessageTime at={message.createdAt} />
      {thread !== undefined && deleting && (
        <DeleteVersion thread={thread} message={message} onClose={() => setDeleting(false)} />
      )}
    </Group>
  );
}

interface VersionSwitcherProps {
  thread: string;
  versions: MessageVersions;
  free: boolean;
}

function VersionSwitcher({ thread, versions: { ids, index, count }, free }: VersionSwitcherProps): ReactElement {
  const queryClient = useQueryClient();
  const [switching, setSwitching] = useState(false);
  const show = async (message: string): Promise<void> => {
    setSwitching(true);
    try {
      await client.threads.switchVersion({ thread, message });
    } catch (error) {
      toastFault(error);
    }
    await queryClient.invalidateQueries({ queryKey: threadQuery(thread).queryKey });
    setSwitching(false);
  };
  const step = (by: 1 | -1): ReactElement => {
    const next = ids[index + by];
    return (
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={by < 0 ? strings.previous : strings.next}
        disabled={next === undefined || !free || switching}
        onClick={() => next !== undefined && void show(next)}
      >
        <Icon name={by < 0 ? 'back' : 'chevron'} size={14} />
      </ActionIcon>
    );
  };
  return (
    <fieldset className="version-switcher" aria-label={strings.versions}>
      {step(-1)}
      <Text component="span" size="xs" c="dimmed" className="version-count" aria-hidden="true">
        {strings.count(index + 1, count)}
      </Text>
      <VisuallyHidden>{strings.countLabel(index + 1, count)}</VisuallyHidden>
      {step(1)}
    </fieldset>
  );
}

interface MessageMenuProps {
  thread: string;
  message: string;
  /** For one's own message: saves it as a prompt. */
  onSave: (() => void) | undefined;
  onDelete: (() => void) | undefined;
}

function MessageMenu({ thread, message, onSave, onDelete }: MessageMenuProps): ReactElement {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const copy = async (): Promise<void> => {
    try {
      const made = await client.threads.copy({ thread, message });
      void queryClient.invalidateQueries({ queryKey: api.threads.list.key() });
      await navigate({ to: '/chat/$thread', params: { thread: made.thread.id } });
      toastDone(strings.copied);
    } catch (error) {
      toastFault(error);
    }
  };
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={strings.more}>
          <Icon name="more" size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void copy()}>{strings.copy}</Menu.Item>
        {onSave !== undefined && <Menu.Item onClick={onSave}>{promptStrings.saveAs}</Menu.Item>}
        {onDelete !== undefined && (
          <Menu.Item color="red" onClick={onDelete}>
            {strings.delete}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

interface DeleteVersionProps {
  thread: string;
  message: Message;
  onClose: () => void;
}

function DeleteVersion({ thread, message, onClose }: DeleteVersionProps): ReactElement {
  const queryClient = useQueryClient();
  return (
    <ConfirmDialog
      title={strings.deleteTitle}
      text={strings.deleteText}
      confirm={strings.deleteConfirm}
      act={() => client.threads.removeVersion({ thread, message: message.id })}
      onClose={onClose}
      onDone={async () => {
        onClose();
        toastDone(strings.deleted);
        await queryClient.invalidateQueries({ queryKey: threadQuery(thread).queryKey });
      }}
    />
  );
}
