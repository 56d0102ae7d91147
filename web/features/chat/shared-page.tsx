// A shared chat: a copy to read, without anything to change.
import './chat.css';
import { Alert, Button, Center, VisuallyHidden } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { SharedMessage } from '../../../src/contract/shares.ts';
import { readFault } from '../../api/fault.ts';
import { ButtonLink } from '../../kit/links.tsx';
import { LoadFailure } from '../../kit/list-state.tsx';
import { Loading } from '../../kit/loading.tsx';
import { Icon } from '../../kit/look/icons.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { ShowDate } from '../../kit/show-date.tsx';
import { modelsQuery } from '../models-and-keys/queries.ts';
import { AnswerMessage } from './answer/answer-message.tsx';
import { nameModels } from './answer/name-models.ts';
import { readWhole } from './chat-client.ts';
import { FileChip } from './composer/file-chip.tsx';
import { sharedQuery } from './queries.ts';
import { chatStrings, composerStrings, shareStrings as strings } from './strings.ts';
import { ShowWhole } from './answer/show-whole.tsx';
import { textOf } from './answer/text-of.ts';
import { formatSize } from '../../language/format.ts';

export function SharedPage(): ReactElement {
  const { share: id = '' } = useParams({ strict: false });
  const query = useInfiniteQuery(sharedQuery(id));
  const [wholes, setWholes] = useState<Readonly<Record<string, SharedMessage>>>({});
  const share = query.data?.pages[0]?.share;
  const { data: offered } = useQuery({
    ...modelsQuery({ organization: share?.organization ?? '', workspace: share?.workspace }),
    enabled: share !== undefined,
  });
  if (query.isPending) return <Loading />;
  // Also when it was taken back while it is on the screen.
  const isGone = query.error !== null && readFault(query.error).status === 404;
  if (share === undefined || isGone) return <Missing error={query.error} retry={() => query.refetch()} />;
  const messages =
    query.data?.pages
      .toReversed()
      .flatMap((page) => page.share.messages)
      .map((message) => wholes[message.id] ?? message) ?? [];
  const whole = ({ id: message, wholeBytes }: SharedMessage): ReactElement | undefined =>
    wholeBytes === undefined ? undefined : (
      <ShowWhole
        bytes={wholeBytes}
        load={async () => {
          const read = await readWhole<SharedMessage>(`/api/shares/${encodeURIComponent(id)}`, message);
          setWholes((known) => ({ ...known, [message]: read }));
        }}
      />
    );
  return (
    <div className="shared-chat">
      <PageHeader
        title={share.title}
        description={
          <>
            {strings.pageBy(share.sharedBy)} <ShowDate at={share.updatedAt} />.
          </>
        }
      />
      {query.hasNextPage && (
        <Center pb="md">
          <Button
            variant="default"
            size="xs"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {chatStrings.earlier}
          </Button>
        </Center>
      )}
      <ol className="messages" aria-label={chatStrings.conversation}>
        {messages.map((message) => (
          <li key={message.id} className="message" data-role={message.role}>
            {message.role === 'user' ? (
              <>
                <Question message={message} />
                {whole(message)}
              </>
            ) : (
              <AnswerMessage
                parts={message.parts}
                metadata={{ model: message.model, served: message.served, sources: message.sources }}
                whole={whole(message)}
                modelName={nameModels(offered?.models ?? [], message)}
              />
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Files by name only: they are the owner's. */
function Question({ message }: { message: SharedMessage }): ReactElement {
  const files = message.parts.flatMap((part) => (part.type === 'data-attachment' ? part.data : []));
  const text = textOf(message);
  return (
    <div className="question">
      <VisuallyHidden component="h2">{strings.asked}</VisuallyHidden>
      {files.length > 0 && (
        <ul className="file-chips" aria-label={composerStrings.attachments}>
          {files.map(({ id, name, size }) => (
            <FileChip key={id} name={name} text={formatSize(size)} />
          ))}
        </ul>
      )}
      {text !== '' && (
        <div className="question-text" dir="auto">
          {text}
        </div>
      )}
    </div>
  );
}

function Missing({ error, retry }: { error: Error | null; retry: () => unknown }): ReactElement {
  if (error !== null && readFault(error).status !== 404) return <LoadFailure error={error} retry={retry} />;
  return (
    <>
      <PageHeader title={strings.notFound} />
      <Alert color="gray" icon={<Icon name="chat" />}>
        <p>{strings.notFoundText}</p>
        <ButtonLink to="/chat" size="xs" variant="default">
          {chatStrings.newChat}
        </ButtonLink>
      </Alert>
    </>
  );
}
