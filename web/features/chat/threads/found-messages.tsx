import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { FoundMessage, SnippetPart } from '../../../../src/contract/threads.ts';
import { FoundLink } from '../../../kit/links.tsx';
import { LoadFailure } from '../../../kit/list-state.tsx';
import { MoreRows } from '../../../kit/rows.tsx';
import { ShowDate } from '../../../kit/show-date.tsx';
import { useSignedIn } from '../../../session/organization-context.ts';
import { searchQuery } from '../queries.ts';
import { threadStrings as strings } from '../strings.ts';
import { useOneStop } from './use-one-stop.ts';

interface FoundMessagesProps {
  text: string;
  /** Whether there are chats whose titles match. */
  hasTitles: boolean;
  onOpen: () => void;
}

/** Messages with the words of a search; each leads to its place in the conversation. */
export function FoundMessages({ text, hasTitles, onOpen }: FoundMessagesProps): ReactElement {
  const { organization } = useSignedIn();
  const query = useInfiniteQuery({ ...searchQuery(organization.id, text), placeholderData: (before) => before });
  const found = query.data?.pages.flatMap((page) => page.results) ?? [];
  const { list, stopOf } = useOneStop(found.map(({ message }) => message.id));
  return (
    <>
      {query.isPending && (
        <Text size="sm" c="dimmed" p="xs">
          {strings.searching}
        </Text>
      )}
      {query.data === undefined && query.error !== null && (
        <LoadFailure error={query.error} retry={() => query.refetch()} />
      )}
      {query.data !== undefined && found.length === 0 && !hasTitles && (
        <Text size="sm" c="dimmed" p="xs">
          {strings.noMatch}
        </Text>
      )}
      {found.length > 0 && (
        <section aria-label={strings.messages}>
          <Text size="xs" fw={600} c="dimmed" className="threads-age" aria-hidden="true">
            {strings.messages}
          </Text>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- moves the focus between the links in it */}
          <ul className="rail-list" {...list}>
            {found.map((hit) => (
              <li key={hit.message.id}>
                <Found hit={hit} stop={stopOf(hit.message.id)} onOpen={onOpen} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <MoreRows query={query} />
    </>
  );
}

interface FoundProps {
  hit: FoundMessage;
  stop: ReturnType<ReturnType<typeof useOneStop>['stopOf']>;
  onOpen: () => void;
}

function Found({ hit: { thread, message, snippet }, stop, onOpen }: FoundProps): ReactElement {
  return (
    <FoundLink
      to="/chat/$thread"
      params={{ thread: thread.id }}
      search={(before) => ({ ...before, message: message.id, project: undefined })}
      onClick={onOpen}
      {...stop}
    >
      <span className="found-title" dir="auto">
        {thread.title}
      </span>
      <span className="found-text" dir="auto">
        <Snippet parts={snippet} />
      </span>
      <span className="found-note">
        {strings.by[message.role]} · <ShowDate at={message.createdAt} />
        {thread.archived && ` · ${strings.archivedMark}`}
      </span>
    </FoundLink>
  );
}

function Snippet({ parts }: { parts: readonly SnippetPart[] }): ReactElement {
  return (
    <>
      {parts.map(({ text, match }, position) =>
        // oxlint-disable-next-line react/no-array-index-key -- the pieces of one text, in order
        match ? <mark key={position}>{text}</mark> : <span key={position}>{text}</span>,
      )}
    </>
  );
}
