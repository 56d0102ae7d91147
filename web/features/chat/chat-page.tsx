import './chat.css';
import { Alert, Box, Button, VisuallyHidden } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactElement, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ListedModel } from '../../../src/contract/models.ts';
import type { Message } from '../../../src/contract/threads.ts';
import { threadsQuery } from './queries.ts';
import { readFault } from '../../api/fault.ts';
import { ChatHead, latestCredential } from './chat-head.tsx';
import { ChatPlaceContext } from './chat-place.ts';
import { Composer } from './composer.tsx';
import type { Question } from './create-conversation.ts';
import { changeDraft, keepUnsent, moveDraft, newChat, takeBack } from './drafts.ts';
import { EmptyChat } from './empty-chat.tsx';
import { MessageList } from './message-list.tsx';
import { ModelPicker } from './model-picker.tsx';
import { ThreadDrawer } from './thread-drawer.tsx';
import { ThreadList } from './thread-list.tsx';
import { useAttach } from './use-attach.ts';
import { useChatModel } from './use-chat-model.ts';
import { useDrop } from './use-drop.ts';
import { useHomeOrganization } from './use-home-organization.ts';
import { useEarlier } from './use-earlier.ts';
import { useConversation } from './use-conversation.ts';
import { useStickToBottom } from './use-stick-to-bottom.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { ButtonLink } from '../../kit/links.tsx';
import { LoadFailure } from '../../kit/list-state.tsx';
import { Loading } from '../../kit/loading.tsx';
import { useStanding } from '../../session/organization-context.ts';
import { useCurrentWorkspace } from '../../session/use-current-workspace.ts';
import { chatStrings as strings, composerStrings } from './strings.ts';
import { common } from '../../kit/strings.ts';
import { sessionStrings } from '../../session/strings.ts';

/** Runs call this provider. */
const RUN_PROVIDER = 'openai';
const NO_MODELS: readonly ListedModel[] = [];

/** Another organization is another page: nothing of one may be sent in the other. */
export function ChatPage(): ReactElement {
  const { organization } = useStanding();
  return <Chat key={organization.id} />;
}

/** Both addresses, `/chat` and `/chat/:thread`, are this one: a first message must not lose the prompt. */
function Chat(): ReactElement {
  const { thread } = useParams({ strict: false });
  const { user, organization } = useStanding();
  const { workspaces, current, failure, isLoading: placeLoads } = useCurrentWorkspace();
  const { workspace: slug } = useSearch({ from: '/signed/app' });
  const navigate = useNavigate();
  const field = useRef<HTMLTextAreaElement>(null);
  const [listing, list] = useDisclosure(false);
  const [mode, setMode] = useState<Question['mode']>();
  const focusPrompt = useCallback(() => field.current?.focus(), []);

  const onThread = useCallback(
    (id: string) => {
      moveDraft(newChat(user.id, organization.id), id);
      void navigate({ to: '/chat/$thread', params: { thread: id }, replace: true, state: { keepFocus: true } });
    },
    [navigate, user.id, organization.id],
  );
  const unsent = useMemo(() => {
    const chatOf = (id: string | undefined): string => id ?? newChat(user.id, organization.id);
    return {
      keepUnsent: (id: string | undefined, question: Question | undefined) => keepUnsent(chatOf(id), question),
      giveBack: (id: string | undefined, question: Question) => takeBack(chatOf(id), question),
    };
  }, [user.id, organization.id]);
  const { conversation, turn, messages, query, moment } = useConversation(thread, onThread, unsent);
  const chat = thread ?? newChat(user.id, organization.id);
  const isNew = thread === undefined && turn === undefined;
  const { scroller, content, away, toBottom } = useStickToBottom(isNew ? undefined : chat);
  const earlier = useEarlier(query, messages[0]?.id, scroller);

  const listed = useInfiniteQuery(threadsQuery(organization.id))
    .data?.pages.flatMap((page) => page.threads)
    .find(({ id }) => id === thread);
  const shown = listed ?? query.data?.pages[0]?.thread;
  const missing =
    thread !== undefined && query.data === undefined && query.error !== null && readFault(query.error).status === 404;
  const title = thread === undefined ? strings.newChat : missing ? strings.notFound : (shown?.title ?? strings.title);

  // Without a pick the server uses Default; a thread stays in the workspace it was begun in.
  const picked =
    thread === undefined ? workspaces.find((each) => each.slug === slug)?.id : shown?.workspace || undefined;
  const place = thread === undefined ? current : workspaces.find(({ id }) => id === picked);
  const unplaced = failure !== undefined && thread === undefined && slug !== undefined;
  const leaving = useHomeOrganization(thread, query.data?.pages[0]?.thread.organization);
  const {
    query: models,
    chosen,
    pick,
  } = useChatModel(
    { organization: organization.id, workspace: picked },
    chat,
    messages.findLast(({ metadata }) => metadata.model !== undefined)?.metadata.model,
  );

  const ask = useCallback(
    (question: Question, replace?: string) => {
      if (chosen === undefined) return;
      toBottom();
      void conversation.send(
        {
          organization: organization.id,
          model: chosen.id,
          ...(thread === undefined ? (picked === undefined ? {} : { workspace: picked }) : { thread }),
        },
        question,
        replace,
      );
    },
    [chosen, conversation, organization.id, picked, thread, toBottom],
  );
  const again = useCallback(
    (message: Message, text: string, wished?: Question['mode']) => {
      const attachments = message.parts.flatMap((part) => (part.type === 'data-attachment' ? part.data : []));
      const how = wished ?? mode ?? modeOf(messages[messages.indexOf(message) + 1]);
      ask({ text, attachments, ...(how === undefined ? {} : { mode: how }) }, message.id);
      setMode(undefined);
      focusPrompt();
    },
    [ask, focusPrompt, messages, mode],
  );
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
  if (leaving) return <Loading />;
  return (
    <ChatPlaceContext value={place}>
      <div className="chat">
        <title>{common.pageTitle(title)}</title>
        <div className="chat-side">{threads}</div>
        <ThreadDrawer opened={listing} onClose={list.close}>
          {threads}
        </ThreadDrawer>
        <div className="chat-main" {...drop}>
          <ChatHead
            title={title}
            workspace={missing ? undefined : place?.name}
            credential={latestCredential(turn?.answer.metadata, messages)}
            onList={list.open}
          />
          <div className="chat-scroll" ref={scroller}>
            <div className="chat-column" ref={content}>
              {models.data?.enforceStudyMode === true && (
                <Alert color="yellow" icon={<Icon name="alert" />} mb="md">
                  {strings.studyMode}
                </Alert>
              )}
              {failure !== undefined && (
                <Box mb="md">
                  <LoadFailure {...failure} title={sessionStrings.workspacesFailed} />
                </Box>
              )}
              {models.data === undefined && models.error !== null && (
                <LoadFailure error={models.error} retry={models.refetch} />
              )}
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
                  {thread !== undefined && query.data === undefined && query.error !== null && !missing && (
                    <LoadFailure error={query.error} retry={query.refetch} />
                  )}
                  <MessageList
                    messages={messages}
                    turn={turn}
                    models={models.data?.models ?? NO_MODELS}
                    earlier={earlier}
                    onAgain={again}
                    onRepeat={ask}
                    onTakeBack={() => {
                      conversation.leave();
                      focusPrompt();
                    }}
                    onReconnect={() => turn?.thread !== undefined && void conversation.resume(turn.thread)}
                  />
                </>
              )}
            </div>
          </div>
          <div className="chat-foot">
            {away && (
              <Button
                className="to-latest"
                variant="default"
                size="compact-sm"
                leftSection={<Icon name="down" size={14} />}
                onClick={toBottom}
              >
                {strings.toLatest}
              </Button>
            )}
            {!missing && (
              <Composer
                chat={chat}
                place={{ organization: organization.id, workspace: picked }}
                runBlocked={
                  chosen === undefined || chosen.providers.includes(RUN_PROVIDER)
                    ? undefined
                    : composerStrings.notForRuns
                }
                mode={mode}
                onMode={setMode}
                phase={turn?.phase}
                ready={!placeLoads && !models.isLoading && !(thread !== undefined && query.isLoading)}
                blocked={unplaced ? strings.noPlace : chosen === undefined ? strings.noModels : undefined}
                field={field}
                onSend={ask}
                onStop={() => void conversation.stop()}
                picker={models.data !== undefined && <ModelPicker list={models.data} chosen={chosen} onPick={pick} />}
              />
            )}
          </div>
          {dragging && <div className="drop-cover">{composerStrings.drop}</div>}
          <VisuallyHidden component="output">{moment === undefined ? '' : strings.announce[moment]}</VisuallyHidden>
        </div>
      </div>
    </ChatPlaceContext>
  );
}

/** How a message was worked on that is asked anew: as before, unless nothing came of it. */
function modeOf(answer: Message | undefined): Question['mode'] {
  if (answer?.role !== 'assistant') return undefined;
  return answer.parts.some(({ type }) => type === 'data-job') ? 'background' : 'answer';
}
