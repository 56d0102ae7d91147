import './chat.css';
import { Alert, Box, Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type ReactElement, useEffect } from 'react';
import type { ListedModel } from '../../../src/contract/models.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { ButtonLink } from '../../kit/links.tsx';
import { LoadFailure } from '../../kit/list-state.tsx';
import { Loading } from '../../kit/loading.tsx';
import { common } from '../../kit/strings.ts';
import { useFoldedRail } from '../../session/folded-rails.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { sessionStrings } from '../../session/strings.ts';
import { ProjectStart } from '../projects/project-start.tsx';
import { projectStrings } from '../projects/strings.ts';
import { ChatHead, latestCredential } from './chat-head.tsx';
import { ChatPlaceContext } from './chat-place.ts';
import { Composer } from './composer/composer.tsx';
import { ContextMeter } from './composer/context-meter.tsx';
import { meterStrings } from './composer/context-meter-strings.ts';
import { changeDraft } from './composer/drafts.ts';
import { EmptyChat } from './conversation/empty-chat.tsx';
import { ModelPicker } from './composer/model-picker.tsx';
import { enqueue } from './conversation/queue.ts';
import { SettingsPicker } from './composer/settings-picker.tsx';
import { useMessageList } from './conversation/use-message-list.ts';
import { attachStrings, chatStrings as strings, composerStrings, threadStrings } from './strings.ts';
import { recordOpening } from './threads/opened-chats.ts';
import { ThreadActions, useThreadChange } from './threads/thread-actions.tsx';
import { ThreadDrawer } from './threads/thread-drawer.tsx';
import { ThreadList } from './threads/thread-list.tsx';
import { useAttach } from './composer/use-attach.ts';
import { useChatKeys } from './use-chat-keys.ts';
import { type ChatState, useChatState } from './use-chat-state.ts';
import type { Turn } from './answer/turns.ts';
import { useDrop } from '../../kit/use-drop.ts';

const NO_MODELS: readonly ListedModel[] = [];

/** Keyed by organization: nothing typed in one may be sent in another. */
export function ChatPage(): ReactElement {
  const { organization } = useSignedIn();
  return <Chat key={organization.id} />;
}

/** Serves both `/chat` and `/chat/:thread`, so that the prompt survives the first message. */
function Chat(): ReactElement {
  const { user } = useSignedIn();
  const { thread } = useParams({ strict: false });
  const state = useChatState(thread);
  const { organization, chat, leaving, focusPrompt, conversation, turn, messages, moment, heading, place } = state;
  const [listing, list] = useDisclosure(false);
  const navigate = useNavigate();
  const [folded, fold] = useFoldedRail('chats');
  /** Whether the list has room beside the chat; otherwise it is a drawer. */
  const wide = useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false });
  useEffect(() => {
    // Focus the prompt of a new chat, unless that opens an on-screen keyboard.
    if (thread === undefined && window.matchMedia('(pointer: fine)').matches) focusPrompt();
  }, [thread, focusPrompt]);
  useEffect(() => {
    if (thread !== undefined) recordOpening(user.id, thread);
  }, [user.id, thread]);
  const startNew = (): void => {
    conversation.leave();
    list.close();
    focusPrompt();
  };
  useChatKeys(state, {
    stop: isRunning(turn) ? () => void conversation.stop() : undefined,
    newChat: () => {
      startNew();
      void navigate({
        to: '/chat',
        search: (before) => ({ ...before, project: undefined }),
        state: { keepFocus: true },
      });
    },
    foldChats: wide ? fold : list.toggle,
  });
  const threads = { current: thread, project: state.joined.id, onOpen: list.close, onNew: startNew };
  const dragging = useDrop(useAttach(chat, organization));
  if (leaving) return <Loading />;
  return (
    <ChatPlaceContext value={place.workspace}>
      <div className="chat" data-folded={folded ? true : undefined}>
        <title>{common.pageTitle(heading.title)}</title>
        {!folded && (
          <div className="chat-side">
            <ThreadList {...threads} onFold={fold} />
          </div>
        )}
        <ThreadDrawer opened={listing} onClose={list.close}>
          <ThreadList {...threads} />
        </ThreadDrawer>
        <div className="chat-main" id="conversation" tabIndex={-1}>
          {!heading.missing && (
            <a className="skip-link" href="#prompt">
              {strings.skipToPrompt}
            </a>
          )}
          <ChatHead
            title={heading.title}
            workspace={heading.missing ? undefined : place.workspace?.name}
            project={state.joined.project}
            importedFrom={state.shown?.importedFrom}
            credential={latestCredential(turn?.answer.metadata, messages)}
            onList={wide ? fold : list.open}
            actions={state.shown !== undefined && !heading.missing && <ThreadActions thread={state.shown} isOpen />}
          />
          <ChatContent state={state} />
          <ChatFoot state={state} />
          {dragging && (
            <div className="drop-cover">
              {composerStrings.drop}
              <span>{attachStrings.limits}</span>
            </div>
          )}
          <VisuallyHidden component="output">{moment === undefined ? '' : strings.announce[moment]}</VisuallyHidden>
        </div>
      </div>
    </ChatPlaceContext>
  );
}

function isRunning(turn: Turn | undefined): boolean {
  return turn !== undefined && turn.phase !== 'refused' && turn.phase !== 'lost';
}

function ChatContent({ state }: { state: ChatState }): ReactElement {
  const { thread, chat, isNew, focusPrompt, conversation, turn, messages, earlier, later, asking, list } = state;
  const { scroller, content } = state.scroll;
  const { data: models } = state.model.query;
  const hasModel = state.model.chosen !== undefined;
  // Known before the models, so that the greeting does not change.
  const { demo } = useSignedIn();
  return (
    <div className="chat-scroll" ref={scroller}>
      <div className="chat-column" ref={content}>
        <ChatNotices state={state} />
        {isNew && state.joined.id !== undefined ? (
          state.joined.project && <ProjectStart project={state.joined.project} />
        ) : isNew ? (
          <EmptyChat
            demo={demo}
            hasKey={models?.models.some(({ hasProviderKey }) => hasProviderKey) ?? false}
            onSuggest={(text) => {
              changeDraft(chat, (draft) => ({ ...draft, text }));
              focusPrompt();
            }}
          />
        ) : (
          <>
            {thread !== undefined && <ThreadNotices state={state} />}
            {list === 'failed' && (
              <LoadFailure title={strings.threadFailed} error={undefined} retry={useMessageList.load} />
            )}
            {list === undefined && !state.query.isPending && <Loading />}
            {typeof list === 'object' && (
              <list.MessageList
                thread={thread}
                messages={messages}
                turn={turn}
                conversation={conversation}
                models={models?.models ?? NO_MODELS}
                hasModel={hasModel}
                earlier={earlier}
                later={later}
                onAgain={asking.again}
                onRepeat={asking.ask}
                onTakeBack={() => {
                  conversation.leave();
                  focusPrompt();
                }}
                onReconnect={() => turn?.thread !== undefined && void conversation.resume(turn.thread)}
                queued={{
                  chat,
                  running: isRunning(turn),
                  free: hasModel && (turn === undefined || turn.phase === 'refused'),
                  onSend: asking.ask,
                  onEdit: focusPrompt,
                }}
              />
            )}
          </>
        )}
      </div>
    </div>
  );
}

/** Notices that apply to every chat here. */
function ChatNotices({ state: { model, place, joined } }: { state: ChatState }): ReactElement {
  const { data: models, error, refetch } = model.query;
  return (
    <>
      {models?.enforceStudyMode === true && (
        <Alert color="yellow" icon={<Icon name="alert" />} mb="md">
          {strings.studyMode}
        </Alert>
      )}
      {place.failure !== undefined && (
        <Box mb="md">
          <LoadFailure {...place.failure} title={sessionStrings.workspacesFailed} />
        </Box>
      )}
      {joined.failure !== undefined && (
        <Box mb="md">
          <LoadFailure {...joined.failure} title={projectStrings.chatBlocked} />
        </Box>
      )}
      {models === undefined && error !== null && (
        <LoadFailure title={strings.modelsFailed} error={error} retry={refetch} />
      )}
    </>
  );
}

/** Why a thread's messages are missing, and whether it is archived. */
function ThreadNotices({ state: { query, heading, shown } }: { state: ChatState }): ReactElement {
  return (
    <>
      {shown?.archived && <ArchivedNotice thread={shown.id} />}
      {query.isPending && <Loading />}
      {heading.missing && (
        <Alert color="gray" icon={<Icon name="chat" />} title={strings.notFound}>
          <p>{strings.notFoundText}</p>
          <ButtonLink to="/chat" size="xs" variant="default">
            {strings.newChat}
          </ButtonLink>
        </Alert>
      )}
      {heading.failed && !heading.missing && (
        <LoadFailure title={strings.threadFailed} error={query.error} retry={query.refetch} />
      )}
    </>
  );
}

function ArchivedNotice({ thread }: { thread: string }): ReactElement {
  const change = useThreadChange(thread);
  return (
    <Alert color="gray" icon={<Icon name="archive" />} mb="md" role="note">
      <Group gap="sm">
        <Text size="sm" flex={1}>
          {strings.archived}
        </Text>
        <Button size="xs" variant="default" onClick={() => change({ archived: false })}>
          {threadStrings.restore}
        </Button>
      </Group>
    </Alert>
  );
}

/** Why nothing can be sent. */
function whyBlocked({ place, joined, model }: ChatState): string | undefined {
  if (place.unplaced) return strings.noPlace;
  if (joined.failure !== undefined) return projectStrings.chatBlocked;
  if (joined.project?.rights.includes('use') === false) return projectStrings.chatReadOnly;
  return model.chosen === undefined ? strings.noModels : undefined;
}

function ChatFoot({ state }: { state: ChatState }): ReactElement {
  const { thread, organization, chat, field, conversation, turn, query, heading, place, joined, scroll, asking } =
    state;
  const { query: models, chosen, pick } = state.model;
  const forRuns = chosen === undefined || chosen.forRuns;
  return (
    <div className="chat-foot" onInput={() => void useMessageList.load()}>
      {scroll.away && (
        <Button
          className="to-latest"
          variant="default"
          size="compact-sm"
          leftSection={<Icon name="down" size={14} />}
          onClick={() => void state.toLatest()}
        >
          {strings.toLatest}
        </Button>
      )}
      {!heading.missing && (
        <Composer
          chat={chat}
          place={{ organization, workspace: place.picked }}
          runBlocked={forRuns ? undefined : composerStrings.notForRuns}
          mode={asking.mode}
          onMode={asking.setMode}
          phase={turn?.phase}
          ready={
            !place.isLoading && !joined.isLoading && !models.isLoading && !(thread !== undefined && query.isLoading)
          }
          blocked={whyBlocked(state)}
          field={field}
          onSend={asking.ask}
          onQueue={(question) => enqueue(chat, question)}
          onStop={() => void conversation.stop()}
          meter={
            models.data !== undefined &&
            chosen !== undefined && (
              <ContextMeter
                chat={chat}
                messages={state.messages}
                list={models.data}
                model={chosen}
                instructions={joined.project?.instructions}
                onPick={pick}
                onSummarize={() => {
                  changeDraft(chat, (draft) => ({ ...draft, text: meterStrings.summaryPrompt }));
                  state.focusPrompt();
                }}
              />
            )
          }
          picker={
            models.data !== undefined && (
              <>
                <ModelPicker organization={organization} list={models.data} chosen={chosen} onPick={pick} />
                {chosen !== undefined && (
                  <SettingsPicker
                    capabilities={chosen.capabilities}
                    settings={state.settings.wished}
                    onChange={state.settings.pick}
                  />
                )}
              </>
            )
          }
        />
      )}
    </div>
  );
}
