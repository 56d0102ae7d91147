import '../chat/chat.css';
import { Alert, Button, Drawer, Group, Title, VisuallyHidden } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactElement, useCallback, useEffect, useRef, useState } from 'react';
import type { ListedModel } from '../../src/contract/models.ts';
import type { Message } from '../../src/contract/threads.ts';
import { modelsQuery, threadsQuery } from '../api/chat-queries.ts';
import { readFault } from '../api/fault.ts';
import { chooseModel, rememberedModel, rememberModel } from '../chat/choose-model.ts';
import { Composer } from '../chat/composer.tsx';
import type { Question } from '../chat/create-conversation.ts';
import { changeDraft, moveDraft, NEW_CHAT } from '../chat/drafts.ts';
import { EmptyChat } from '../chat/empty-chat.tsx';
import { MessageList } from '../chat/message-list.tsx';
import { ModelPicker } from '../chat/model-picker.tsx';
import { ThreadList } from '../chat/thread-list.tsx';
import { useAttach } from '../chat/use-attach.ts';
import { useDrop } from '../chat/use-drop.ts';
import { useEarlier } from '../chat/use-earlier.ts';
import { useConversation } from '../chat/use-conversation.ts';
import { useStickToBottom } from '../chat/use-stick-to-bottom.ts';
import { Icon } from '../look/icons.tsx';
import { ButtonLink } from '../parts/links.tsx';
import { LoadFailure } from '../parts/list-state.tsx';
import { Loading } from '../parts/loading.tsx';
import { useStanding } from '../shell/organization-context.ts';
import { useCurrentWorkspace } from '../shell/use-current-workspace.ts';
import { chatStrings as strings, composerStrings, threadStrings } from '../strings/chat.ts';
import { common } from '../strings/common.ts';

const NO_MODELS: readonly ListedModel[] = [];

/** Both addresses, `/chat` and `/chat/:thread`, are this one page: a first message must not lose the prompt. */
export function ChatPage(): ReactElement {
  const { thread } = useParams({ strict: false });
  const { organization } = useStanding();
  const { workspaces, isLoading: placeLoads } = useCurrentWorkspace();
  const { workspace: slug } = useSearch({ from: '/signed/app' });
  const navigate = useNavigate();
  const field = useRef<HTMLTextAreaElement>(null);
  const [listing, list] = useDisclosure(false);
  const focusPrompt = useCallback(() => field.current?.focus(), []);

  const onThread = useCallback(
    (id: string) => {
      moveDraft(NEW_CHAT, id);
      void navigate({ to: '/chat/$thread', params: { thread: id }, replace: true, state: { keepFocus: true } });
    },
    [navigate],
  );
  const { conversation, turn, messages, query, moment } = useConversation(thread, onThread);
  const chat = thread ?? NEW_CHAT;
  const isNew = thread === undefined && turn === undefined;
  const { scroller, content, away, toBottom } = useStickToBottom(isNew ? undefined : chat);
  const earlier = useEarlier(query, messages[0]?.id, scroller);

  const listed = useInfiniteQuery(threadsQuery(organization.id)).data?.pages.flatMap((page) => page.threads).find(({ id }) => id === thread);
  const shown = listed ?? query.data?.pages[0]?.thread;
  const missing = thread !== undefined && query.data === undefined && query.error !== null && readFault(query.error).status === 404;
  const title = thread === undefined ? strings.newChat : missing ? strings.notFound : (shown?.title ?? strings.title);

  // Without a pick the server uses Default; a thread stays in the workspace it was begun in.
  const picked = thread === undefined ? workspaces.find((each) => each.slug === slug)?.id : shown?.workspace || undefined;
  const models = useQuery(modelsQuery({ organization: organization.id, workspace: picked }));
  const [wished, setWished] = useState(() => rememberedModel(organization.id));
  const chosen = models.data && chooseModel(models.data, wished);

  const ask = useCallback(
    (question: Question, replace?: string) => {
      if (chosen === undefined) return;
      toBottom();
      void conversation.send({ organization: organization.id, model: chosen.id, ...(thread === undefined ? (picked === undefined ? {} : { workspace: picked }) : { thread }) }, question, replace);
    },
    [chosen, conversation, organization.id, picked, thread, toBottom],
  );
  const again = useCallback(
    (message: Message, text: string) => {
      const attachments = message.parts.flatMap((part) => (part.type === 'data-attachment' ? part.data : []));
      ask({ text, attachments }, message.id);
      focusPrompt();
    },
    [ask, focusPrompt],
  );
  const takeBack = (question: Question): void => {
    conversation.leave();
    changeDraft(chat, (draft) => ({
      ...draft,
      text: [question.text, draft.text].filter(Boolean).join('\n\n'),
      files: [...question.attachments.map((uploaded, index) => ({ key: -1 - index, name: uploaded.name, size: uploaded.size, progress: 1, uploaded })), ...draft.files],
    }));
    focusPrompt();
  };

  useHotkeys([['/', focusPrompt]]);
  useEffect(() => {
    // Whoever opens a new chat wants to type, unless that would bring up a keyboard over the page.
    if (thread === undefined && window.matchMedia('(pointer: fine)').matches) focusPrompt();
  }, [thread, focusPrompt]);

  const startNew = (): void => {
    conversation.leave();
    list.close();
    focusPrompt();
  };
  const threads = <ThreadList current={thread} onOpen={list.close} onNew={startNew} />;
  const { dragging, ...drop } = useDrop(useAttach(chat, organization.id));
  return (
    <div className="chat">
      <title>{common.pageTitle(title)}</title>
      <div className="chat-side">{threads}</div>
      <Drawer.Root opened={listing} onClose={list.close} size="20rem">
        <Drawer.Overlay />
        <Drawer.Content>
          <Drawer.Body className="chat-drawer">
            <Group justify="space-between" p="sm" pb={0}>
              <Drawer.Title>{threadStrings.list}</Drawer.Title>
              <Drawer.CloseButton aria-label={common.close} />
            </Group>
            {threads}
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
      <div className="chat-main" {...drop}>
        <div className="chat-head">
          <Button className="chat-open-list" variant="default" size="compact-md" onClick={list.open}>
            {threadStrings.open}
          </Button>
          <Title order={1} tabIndex={-1} className="chat-title" title={title}>
            {title}
          </Title>
        </div>
        <div className="chat-scroll" ref={scroller}>
          <div className="chat-column" ref={content}>
            {models.data?.enforceStudyMode === true && (
              <Alert color="yellow" icon={<Icon name="alert" />} mb="md">
                {strings.studyMode}
              </Alert>
            )}
            {models.data === undefined && models.error !== null && <LoadFailure error={models.error} retry={models.refetch} />}
            {isNew ? (
              <EmptyChat
                demo={models.data?.demo ?? false}
                hasKey={models.data?.models.some(({ hasProviderKey }) => hasProviderKey) ?? false}
                onSuggest={(text) => {
                  changeDraft(chat, (draft) => ({ ...draft, text }));
                  focusPrompt();
                }}
              />
            ) : (
              <>
                {thread !== undefined && query.isPending && <Loading />}
                {missing && (
                  <Alert color="gray" icon={<Icon name="chat" />} title={strings.notFound}>
                    <p>{strings.notFoundText}</p>
                    <ButtonLink to="/chat" size="xs" variant="default">
                      {strings.newChat}
                    </ButtonLink>
                  </Alert>
                )}
                {thread !== undefined && query.data === undefined && query.error !== null && !missing && <LoadFailure error={query.error} retry={query.refetch} />}
                <MessageList
                  messages={messages}
                  turn={turn}
                  models={models.data?.models ?? NO_MODELS}
                  earlier={earlier}
                  onAgain={again}
                  onRepeat={ask}
                  onTakeBack={takeBack}
                  onReconnect={() => turn?.thread !== undefined && void conversation.resume(turn.thread)}
                />
              </>
            )}
          </div>
        </div>
        <div className="chat-foot">
          {away && (
            <Button className="to-latest" variant="default" size="compact-sm" leftSection={<Icon name="down" size={14} />} onClick={toBottom}>
              {strings.toLatest}
            </Button>
          )}
          {!missing && (
            <Composer
              chat={chat}
              organization={organization.id}
              phase={turn?.phase}
              ready={!placeLoads && !models.isLoading && !(thread !== undefined && query.isLoading)}
              blocked={chosen === undefined ? strings.noModels : undefined}
              field={field}
              onSend={ask}
              onStop={() => void conversation.stop()}
              picker={
                models.data !== undefined && (
                  <ModelPicker
                    list={models.data}
                    chosen={chosen}
                    onPick={(model) => {
                      setWished(model);
                      rememberModel(organization.id, model);
                    }}
                  />
                )
              }
            />
          )}
        </div>
        {dragging && <div className="drop-cover">{composerStrings.drop}</div>}
        <VisuallyHidden component="output">{moment === undefined ? '' : strings.announce[moment]}</VisuallyHidden>
      </div>
    </div>
  );
}
