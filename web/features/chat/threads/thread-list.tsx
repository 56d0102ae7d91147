import { ActionIcon, Button, Checkbox, Group, Menu, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { Thread } from '../../../../src/contract/threads.ts';
import { FoundMessages } from './found-messages.tsx';
import { groupThreads, type ThreadGroup } from './list-threads.ts';
import { threadsQuery } from '../queries.ts';
import { Icon, type IconName } from '../../../kit/look/icons.tsx';
import { AnchorLink, ButtonLink, ThreadLink } from '../../../kit/links.tsx';
import { LoadFailure } from '../../../kit/list-state.tsx';
import { Loading } from '../../../kit/loading.tsx';
import { MoreRows } from '../../../kit/rows.tsx';
import { common } from '../../../kit/strings.ts';
import { useSignedIn } from '../../../session/organization-context.ts';
import { chatImportStrings } from '../../imports/strings.ts';
import { ProjectsSection } from '../../projects/projects-section.tsx';
import { chatStrings, threadStrings as strings } from '../strings.ts';
import { ThreadActions } from './thread-actions.tsx';
import { useOneStop } from './use-one-stop.ts';
import { onDemand } from '../../../kit/on-demand.tsx';

const DeleteThreads = onDemand(async () => (await import('./thread-dialogs.tsx')).DeleteThreads);
const SEARCH_AFTER_MS = 250;

interface ThreadListProps {
  current: string | undefined;
  /** The project of the open chat. */
  project: string | undefined;
  onOpen: () => void;
  onNew: () => void;
  /** Undefined where the list cannot be folded. */
  onFold?: () => void;
}

/** The person's chats: pinned ones, then the others, latest first. A search also finds archived ones, and messages. */
export function ThreadList({ current, project, onOpen, onNew, onFold }: ThreadListProps): ReactElement {
  const { organization } = useSignedIn();
  const [search, setSearch] = useState('');
  const [sought] = useDebouncedValue(search.trim() === '' ? '' : search, SEARCH_AFTER_MS);
  const [isArchive, setArchive] = useState(false);
  const [selected, setSelected] = useState<ReadonlySet<string>>();
  const isSearch = sought !== '';
  const query = useInfiniteQuery({
    ...threadsQuery(organization.id, sought.trim(), isSearch ? 'all' : isArchive ? 'archived' : 'active'),
    placeholderData: (before) => before,
  });
  const threads = query.data?.pages.flatMap((page) => page.threads) ?? [];
  const isEmpty = query.data !== undefined && threads.length === 0;
  const toggle = (id: string): void =>
    setSelected(
      (before = new Set()) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]),
    );
  const groups = group(threads, { isSearch, isArchive });
  const { list, stopOf } = useOneStop(
    groups.flatMap((each) => each.threads.map(({ id }) => id)),
    current,
  );
  return (
    <>
      <ThreadsHead
        search={search}
        onSearch={setSearch}
        onNew={onNew}
        onFold={onFold}
        isArchive={isArchive}
        onArchive={setArchive}
        onSelect={() => setSelected(new Set())}
      />
      <nav aria-label={strings.list} className="threads">
        {!isSearch && !isArchive && <ProjectsSection current={project} onOpen={onOpen} />}
        {query.isPending && <Loading />}
        {query.data === undefined && query.error !== null && (
          <LoadFailure title={strings.failed} error={query.error} retry={() => query.refetch()} />
        )}
        {isEmpty && !isSearch && (
          <Text size="sm" c="dimmed" p="xs">
            {isArchive ? strings.noArchived : `${strings.empty}. ${strings.emptyText} `}
            {!isArchive && <AnchorLink to="/imports">{chatImportStrings.link}</AnchorLink>}
          </Text>
        )}
        {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- moves the focus between the links in it */}
        <div {...list}>
          {groups.map(({ label, threads: some }) => (
            <section key={label} aria-label={label}>
              <Text size="xs" fw={600} c="dimmed" className="threads-age" aria-hidden="true">
                {label}
              </Text>
              <ul className="rail-list">
                {some.map((thread) => (
                  <ThreadRow
                    key={thread.id}
                    thread={thread}
                    isOpen={thread.id === current}
                    stop={stopOf(thread.id)}
                    selected={selected?.has(thread.id)}
                    onSelect={() => toggle(thread.id)}
                    onOpen={onOpen}
                  />
                ))}
              </ul>
            </section>
          ))}
        </div>
        <MoreRows query={query} />
        {isSearch && <FoundMessages text={sought} hasTitles={!isEmpty} onOpen={onOpen} />}
      </nav>
      {selected !== undefined && (
        <SelectionFoot selected={[...selected]} current={current} onDone={() => setSelected(undefined)} />
      )}
    </>
  );
}

interface ThreadRowProps {
  thread: Thread;
  isOpen: boolean;
  /** Of its link, or of its checkbox. */
  stop: ReturnType<ReturnType<typeof useOneStop>['stopOf']>;
  /** Undefined while chats are not being selected. */
  selected: boolean | undefined;
  onSelect: () => void;
  onOpen: () => void;
}

function ThreadRow({ thread, isOpen, stop, selected, onSelect, onOpen }: ThreadRowProps): ReactElement {
  return (
    <li className="thread" data-current={isOpen ? true : undefined}>
      {selected === undefined ? (
        <>
          <ThreadLink
            to="/chat/$thread"
            params={{ thread: thread.id }}
            search={(before) => ({ ...before, message: undefined, project: undefined })}
            aria-current={isOpen ? 'page' : undefined}
            onClick={onOpen}
            {...stop}
          >
            {thread.title}
          </ThreadLink>
          <ThreadMarks thread={thread} />
          <ThreadActions thread={thread} isOpen={isOpen} tabIndex={-1} />
        </>
      ) : (
        <Checkbox
          className="thread-choice"
          size="xs"
          checked={selected}
          onChange={onSelect}
          label={<bdi>{thread.title}</bdi>}
          aria-label={strings.selectOf(thread.title)}
          {...stop}
        />
      )}
    </li>
  );
}

function ThreadMarks({ thread }: { thread: Thread }): ReactElement {
  return (
    <>
      {thread.shared && <Mark icon="share" text={strings.sharedMark} />}
      {thread.archived && <Mark icon="archive" text={strings.archivedMark} />}
    </>
  );
}

function Mark({ icon, text }: { icon: IconName; text: string }): ReactElement {
  return (
    <span className="thread-mark" title={text}>
      <Icon name={icon} size={14} />
      <VisuallyHidden>{text}</VisuallyHidden>
    </span>
  );
}

interface SelectionFootProps {
  selected: readonly string[];
  current: string | undefined;
  onDone: () => void;
}

function SelectionFoot({ selected, current, onDone }: SelectionFootProps): ReactElement {
  const [deleting, setDeleting] = useState(false);
  return (
    <div className="threads-foot">
      <Text size="sm" component="output">
        {strings.selected(selected.length)}
      </Text>
      <Group gap="xs" wrap="nowrap">
        <Button size="xs" variant="default" flex={1} onClick={onDone}>
          {common.cancel}
        </Button>
        <Button size="xs" color="red" flex={1} disabled={selected.length === 0} onClick={() => setDeleting(true)}>
          {strings.delete}
        </Button>
      </Group>
      {deleting && (
        <DeleteThreads
          threads={selected}
          hasOpen={current !== undefined && selected.includes(current)}
          onClose={() => setDeleting(false)}
          onDone={onDone}
        />
      )}
    </div>
  );
}

interface ThreadsHeadProps {
  search: string;
  onSearch: (search: string) => void;
  onNew: () => void;
  onFold: (() => void) | undefined;
  isArchive: boolean;
  onArchive: (isArchive: boolean) => void;
  onSelect: () => void;
}

function ThreadsHead(props: ThreadsHeadProps): ReactElement {
  const { search, onSearch, onNew, onFold, isArchive, onArchive, onSelect } = props;
  return (
    <div className="threads-head">
      <Group gap={4} wrap="nowrap">
        <ButtonLink
          to="/chat"
          variant="default"
          flex={1}
          leftSection={<Icon name="plus" size={16} />}
          state={{ keepFocus: true }}
          onClick={onNew}
        >
          {chatStrings.newChat}
        </ButtonLink>
        {onFold !== undefined && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={strings.fold}
            title={strings.fold}
            onClick={onFold}
          >
            <Icon name="rail" />
          </ActionIcon>
        )}
      </Group>
      <Group gap={4} wrap="nowrap">
        <TextInput
          type="search"
          size="sm"
          flex={1}
          aria-label={strings.search}
          placeholder={strings.search}
          leftSection={<Icon name="search" size={16} />}
          value={search}
          maxLength={200}
          onChange={(event) => onSearch(event.currentTarget.value)}
        />
        <Menu position="bottom-end" width={200}>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size="lg" aria-label={strings.options}>
              <Icon name="more" size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<Icon name="archive" size={16} />} onClick={() => onArchive(!isArchive)}>
              {isArchive ? strings.showActive : strings.showArchived}
            </Menu.Item>
            <Menu.Item leftSection={<Icon name="check" size={16} />} onClick={onSelect}>
              {strings.select}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
    </div>
  );
}

/** What a search found, and archived chats, are one group. */
function group(
  threads: readonly Thread[],
  { isSearch, isArchive }: { isSearch: boolean; isArchive: boolean },
): ThreadGroup[] {
  const whole = isSearch ? strings.titles : isArchive ? strings.archivedTitle : undefined;
  if (whole === undefined) return groupThreads(threads);
  return threads.length === 0 ? [] : [{ label: whole, threads }];
}
