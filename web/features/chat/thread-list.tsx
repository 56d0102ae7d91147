import { ActionIcon, Menu, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { Thread } from '../../../src/contract/threads.ts';
import { threadsQuery } from './queries.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { ButtonLink, ThreadLink } from '../../kit/links.tsx';
import { LoadFailure } from '../../kit/list-state.tsx';
import { Loading } from '../../kit/loading.tsx';
import { MoreRows } from '../../kit/rows.tsx';
import { useSignedIn } from '../../session/organization-context.ts';
import { chatStrings, threadStrings as strings } from './strings.ts';
import { DeleteThread, RenameThread } from './thread-dialogs.tsx';

const SEARCH_AFTER_MS = 250;

/** The person's chats, latest first. */
export function ThreadList({
  current,
  onOpen,
  onNew,
}: {
  current: string | undefined;
  onOpen: () => void;
  onNew: () => void;
}): ReactElement {
  const { organization } = useSignedIn();
  const [search, setSearch] = useState('');
  const [sought] = useDebouncedValue(search.trim(), SEARCH_AFTER_MS);
  const query = useInfiniteQuery({ ...threadsQuery(organization.id, sought), placeholderData: (before) => before });
  const [renaming, setRenaming] = useState<Thread>();
  const [deleting, setDeleting] = useState<Thread>();
  const threads = query.data?.pages.flatMap((page) => page.threads) ?? [];
  return (
    <>
      <ThreadsHead search={search} onSearch={setSearch} onNew={onNew} />
      <nav aria-label={strings.list} className="threads">
        {query.isPending && <Loading />}
        {query.data === undefined && query.error !== null && (
          <LoadFailure error={query.error} retry={() => query.refetch()} />
        )}
        {query.data !== undefined && threads.length === 0 && (
          <Text size="sm" c="dimmed" p="xs">
            {sought === '' ? `${strings.empty}. ${strings.emptyText}` : strings.noMatch}
          </Text>
        )}
        {byAge(threads).map(({ label, threads: some }) => (
          <section key={label} aria-label={label}>
            <Text size="xs" fw={600} c="dimmed" className="threads-age" aria-hidden="true">
              {label}
            </Text>
            <ul className="rail-list">
              {some.map((thread) => (
                <li key={thread.id} className="thread" data-current={thread.id === current ? true : undefined}>
                  <ThreadLink
                    to="/chat/$thread"
                    params={{ thread: thread.id }}
                    aria-current={thread.id === current ? 'page' : undefined}
                    onClick={onOpen}
                  >
                    {thread.title}
                  </ThreadLink>
                  <ThreadMenu
                    title={thread.title}
                    onRename={() => setRenaming(thread)}
                    onDelete={() => setDeleting(thread)}
                  />
                </li>
              ))}
            </ul>
          </section>
        ))}
        <MoreRows query={query} />
      </nav>
      {renaming !== undefined && <RenameThread thread={renaming} onClose={() => setRenaming(undefined)} />}
      {deleting !== undefined && (
        <DeleteThread thread={deleting} isOpen={deleting.id === current} onClose={() => setDeleting(undefined)} />
      )}
    </>
  );
}

interface ThreadsHeadProps {
  search: string;
  onSearch: (search: string) => void;
  onNew: () => void;
}

function ThreadsHead({ search, onSearch, onNew }: ThreadsHeadProps): ReactElement {
  return (
    <div className="threads-head">
      <ButtonLink
        to="/chat"
        variant="default"
        fullWidth
        leftSection={<Icon name="plus" size={16} />}
        state={{ keepFocus: true }}
        onClick={onNew}
      >
        {chatStrings.newChat}
      </ButtonLink>
      <TextInput
        type="search"
        size="sm"
        aria-label={strings.search}
        placeholder={strings.search}
        leftSection={<Icon name="search" size={16} />}
        value={search}
        onChange={(event) => onSearch(event.currentTarget.value)}
      />
    </div>
  );
}

interface ThreadMenuProps {
  title: string;
  onRename: () => void;
  onDelete: () => void;
}

function ThreadMenu({ title, onRename, onDelete }: ThreadMenuProps): ReactElement {
  return (
    <Menu position="bottom-end" width={160}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={strings.actionsOf(title)}>
          <Icon name="more" size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onRename}>{strings.rename}</Menu.Item>
        <Menu.Item color="red" onClick={onDelete}>
          {strings.delete}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const DAY_MS = 86_400_000;

function byAge(threads: readonly Thread[]): { label: string; threads: Thread[] }[] {
  const today = new Date().setHours(0, 0, 0, 0);
  const ages = [
    { label: strings.today, since: today },
    { label: strings.week, since: today - 6 * DAY_MS },
    { label: strings.older, since: Number.NEGATIVE_INFINITY },
  ];
  const ageOf = ({ updatedAt }: Thread) => ages.find(({ since }) => Date.parse(updatedAt) >= since);
  return ages
    .map((age) => ({ label: age.label, threads: threads.filter((thread) => ageOf(thread) === age) }))
    .filter((age) => age.threads.length > 0);
}
