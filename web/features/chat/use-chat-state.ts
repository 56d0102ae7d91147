// The state of the chat page: the open chat, its thread and workspace, the model, and how a message is sent.
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ListedModel } from '../../../src/contract/models.ts';
import type { Message, MessageMetadata, Thread } from '../../../src/contract/threads.ts';
import { type Fault, readFault } from '../../api/fault.ts';
import { toastFault } from '../../kit/toasts.tsx';
import { readWhole } from './chat-client.ts';
import type { Moment, TypedIn } from './conversation/create-conversation.ts';
import { useCurrentWorkspace, useSignedIn } from '../../session/organization-context.ts';
import type { Question } from './answer/turns.ts';
import { changeDraft, editOf, EMPTY_DRAFT, keepUnsent, moveDraft, newChat, takeBack } from './composer/drafts.ts';
import { hold, holdAll, moveQueue, takeNext } from './conversation/queue.ts';
import { reopenThread, threadsQuery } from './queries.ts';
import { chatStrings as strings } from './strings.ts';
import { textOf } from './answer/text-of.ts';
import { type OpenChat, useConversation } from './conversation/use-conversation.ts';
import { useEarlier } from './conversation/use-earlier.ts';
import { useJump } from './conversation/use-jump.ts';
import { useLater } from './conversation/use-later.ts';
import { useMessageList } from './conversation/use-message-list.ts';
import { useStickToBottom } from './conversation/use-stick-to-bottom.ts';
import { noticeAnswer } from '../../installed/notice-answer.ts';
import { watchRun } from '../../installed/watched-runs.ts';
import { modelsQuery } from '../models-and-keys/queries.ts';
import { projectQuery } from '../projects/queries.ts';
import { type AnswerSettings, fitSettings } from './answer/answer-settings.ts';
import { chooseModel, offerModels } from './composer/choose-model.ts';
import { rememberedModel, rememberModel } from './composer/model-memory.ts';

export type ChatState = ReturnType<typeof useChatState>;

export function useChatState(thread: string | undefined) {
  const { user, organization } = useSignedIn();
  const field = useRef<HTMLTextAreaElement>(null);
  const focusPrompt = useCallback(() => field.current?.focus(), []);
  const afterMoment = useRef<(moment: Moment) => void>(() => {});
  const { message } = useSearch({ from: '/signed/app/chat' });
  const { conversation, turn, messages, query, moment } = useOpenChat({ thread, message }, afterMoment);
  /** The key of its draft. */
  const chat = thread ?? newChat(user.id, organization.id);
  const isNew = thread === undefined && turn === undefined;
  const list = useMessageList(!isNew);
  const atEnd = !query.hasPreviousPage;
  const scroll = useStickToBottom(isNew ? undefined : chat, atEnd);
  const earlier = useEarlier(query, messages[0]?.id, scroll.scroller);
  const later = useLater(query, scroll.scroller);
  const ready = query.isSuccess && typeof list === 'object';
  useJump({ thread, message, messages, ready, atEnd, toElement: scroll.toElement });
  const toLatest = useToLatest(thread, atEnd, scroll.toBottom);
  const { shown, ...heading } = useShownThread(thread, query);
  const joined = useJoinedProject(thread, shown?.project);
  const place = useChatPlace(
    thread,
    thread === undefined ? joined.project && { workspace: joined.project.workspace, workspacePicked: true } : shown,
  );
  const leaving = useHomeOrganization(thread, query.data?.pages[0]?.thread.organization);
  const answered = messages.findLast(({ metadata }) => metadata.model !== undefined)?.metadata;
  const model = useChatModel(
    { organization: organization.id, workspace: place.picked },
    thread === undefined && joined.id !== undefined ? joined.id : chat,
    { answered: answered?.model, usual: joined.project?.model },
  );
  const settings = useAnswerSettings(chat, answered, model.chosen);
  const asking = useAsking({
    thread,
    conversation,
    messages,
    model: model.chosen,
    settings: settings.sent,
    workspace: place.picked,
    project: joined.id,
    field,
    atEnd,
    toLatest,
    toBottom: scroll.toBottom,
  });
  const { ask } = asking;
  const hasModel = model.chosen !== undefined;
  useEffect(() => {
    afterMoment.current = (moment) => {
      if (thread !== undefined) noticeAnswer(user.id, moment, { thread, title: heading.title });
      afterTurn(chat, moment, hasModel ? ask : undefined);
    };
  }, [thread, chat, ask, hasModel, user.id, heading.title]);
  return {
    thread,
    organization: organization.id,
    chat,
    isNew,
    leaving,
    field,
    focusPrompt,
    conversation,
    turn,
    messages,
    query,
    moment,
    earlier,
    later,
    toLatest,
    heading,
    shown,
    place,
    joined,
    model,
    settings,
    scroll,
    asking,
    list,
  };
}

/** The draft of a new chat moves along when the first message creates its thread. */
function useOpenChat(
  at: { thread: string | undefined; message: string | undefined },
  afterMoment: RefObject<(moment: Moment) => void>,
): OpenChat {
  const { user, organization } = useSignedIn();
  const navigate = useNavigate();
  const onThread = useCallback(
    (id: string) => {
      const chat = newChat(user.id, organization.id);
      moveDraft(chat, id);
      moveQueue(chat, id);
      // What is typed before the page is that of the thread goes into the draft of the new chat, and follows.
      void navigate({ to: '/chat/$thread', params: { thread: id }, replace: true, state: { keepFocus: true } }).then(
        () => moveDraft(chat, id),
      );
    },
    [navigate, user.id, organization.id],
  );
  const unsent = useMemo(() => {
    const chatOf = (id: string | undefined): string => id ?? newChat(user.id, organization.id);
    const draftOf = ({ thread: id, replace }: TypedIn): string =>
      replace === undefined ? chatOf(id) : editOf(replace);
    return {
      keepUnsent: (from: TypedIn, question: Question | undefined) => keepUnsent(draftOf(from), question),
      giveBack: (from: TypedIn, question: Question) => takeBack(draftOf(from), question),
      onSuperseded: (id: string | undefined, question: Question) => hold(chatOf(id), question, 'refused'),
      // If it is only busy, the message is sent after the answer that runs.
      hold: (id: string, question: Question, { code }: Fault) =>
        hold(id, question, code === 'thread_busy' ? undefined : 'changed'),
      holdEdit: (id: string, message: string, edit: Question) => {
        changeDraft(editOf(message), () => EMPTY_DRAFT);
        hold(id, edit, 'changed');
      },
      onMoment: (moment: Moment) => afterMoment.current(moment),
      onRun: (run: string) => watchRun(user.id, { id: run, organization: organization.id }),
    };
  }, [user.id, organization.id, afterMoment]);
  return useConversation(at, onThread, unsent);
}

/** The list of chats has a new title first, also for threads that are not open. */
function useShownThread(thread: string | undefined, query: OpenChat['query']) {
  const { organization } = useSignedIn();
  const listed = useInfiniteQuery(threadsQuery(organization.id))
    .data?.pages.flatMap((page) => page.threads)
    .find(({ id }) => id === thread);
  const shown = listed ?? query.data?.pages[0]?.thread;
  const failed = thread !== undefined && query.data === undefined && query.error !== null;
  const missing = failed && readFault(query.error).status === 404;
  const title = thread === undefined ? strings.newChat : missing ? strings.notFound : (shown?.title ?? strings.title);
  return { shown, failed, missing, title };
}

/** The project that the chat is in; of a new chat, the one that the address names. */
function useJoinedProject(thread: string | undefined, stored: string | undefined) {
  const { project: named } = useSearch({ from: '/signed/app/chat' });
  const id = thread === undefined ? named : stored;
  const { data, error, isLoading, refetch } = useQuery({ ...projectQuery(id ?? ''), enabled: id !== undefined });
  const project = id === undefined ? undefined : data;
  const isLost = thread === undefined && id !== undefined && data === undefined && error !== null;
  return { id, project, isLoading, failure: isLost ? { error, retry: refetch } : undefined };
}

/**
 * Without a choice the server uses Default; a thread stays in the workspace where it started, and a new one in a project
 * starts in that of the project. The scope that decides a message is the same before and after its chat is a thread.
 */
function useChatPlace(thread: string | undefined, home: Pick<Thread, 'workspace' | 'workspacePicked'> | undefined) {
  const { workspaces, failure, isLoading } = useCurrentWorkspace();
  const { workspace: slug } = useSearch({ from: '/signed/app' });
  const isFixed = thread !== undefined || home !== undefined;
  const kept = home?.workspacePicked ? home.workspace : undefined;
  const picked = isFixed ? kept : workspaces.find((each) => each.slug === slug)?.id;
  const isKnown = !isFixed || home !== undefined;
  return {
    picked,
    workspace: isKnown
      ? workspaces.find(({ id, kind }) => (picked === undefined ? kind === 'default' : id === picked))
      : undefined,
    unplaced: failure !== undefined && thread === undefined && slug !== undefined,
    failure,
    isLoading,
  };
}

/** Shows the latest message. If the pages do not reach it, they are read again from there; a failure is said. */
function useToLatest(thread: string | undefined, atEnd: boolean, toBottom: () => void): () => Promise<void> {
  const queryClient = useQueryClient();
  return useCallback(async () => {
    if (thread !== undefined && !atEnd) await reopenThread(queryClient, thread).catch(toastFault);
    toBottom();
  }, [queryClient, thread, atEnd, toBottom]);
}

interface Asking {
  thread: string | undefined;
  conversation: OpenChat['conversation'];
  messages: OpenChat['messages'];
  model: ListedModel | undefined;
  settings: AnswerSettings;
  workspace: string | undefined;
  /** Of a chat that is new. */
  project: string | undefined;
  field: RefObject<HTMLTextAreaElement | null>;
  /** Whether the latest message is loaded. */
  atEnd: boolean;
  toLatest: () => Promise<void>;
  toBottom: () => void;
}

function useAsking(asking: Asking) {
  const { thread, conversation, messages, model, settings, workspace, project, field } = asking;
  const { atEnd, toLatest, toBottom } = asking;
  const { organization } = useSignedIn();
  const [mode, setMode] = useState<Question['mode']>();
  const ask = useCallback(
    (question: Question, replace?: string) => {
      if (model === undefined) return;
      const place = {
        organization: organization.id,
        model: model.id,
        ...settings,
        ...(thread === undefined
          ? { ...(workspace !== undefined && { workspace }), ...(project !== undefined && { project }) }
          : { thread }),
      };
      const send = (): void => void conversation.send(place, question, replace);
      // A question that is asked again becomes the end of the chat.
      if (replace === undefined && !atEnd) void toLatest().then(send);
      else {
        toBottom();
        send();
      }
    },
    [model, settings, conversation, organization.id, workspace, project, thread, atEnd, toLatest, toBottom],
  );
  const again = useCallback(
    async (message: Message, given: string, wished?: Question['mode']) => {
      const text = await wholeText(thread, message, given).catch(toastFault);
      if (text === undefined) return;
      const attachments = message.parts.flatMap((part) => (part.type === 'data-attachment' ? part.data : []));
      const how = wished ?? mode ?? modeOf(messages[messages.indexOf(message) + 1]);
      ask({ text, attachments, ...(how === undefined ? {} : { mode: how }) }, message.id);
      setMode(undefined);
      field.current?.focus();
    },
    [ask, field, messages, mode, thread],
  );
  return { ask, again: useCallback((...how: Parameters<typeof again>) => void again(...how), [again]), mode, setMode };
}

/** A message that is asked again as it is needs its whole text, even if the page has only the beginning. */
async function wholeText(thread: string | undefined, message: Message, text: string): Promise<string> {
  if (thread === undefined || message.wholeBytes === undefined || text !== textOf(message)) return text;
  return textOf(await readWhole<Message>(`/api/threads/${encodeURIComponent(thread)}`, message.id));
}

/** Of the messages that wait for a running answer, the next one is sent when it is complete, if anything can answer. */
function afterTurn(chat: string, moment: Moment, ask: ((question: Question) => void) | undefined): void {
  if (moment === 'failed' || moment === 'stopped') return holdAll(chat, moment);
  if (moment === 'started' || !ask) return;
  const next = takeNext(chat);
  // The turn that has just ended is taken off the page first.
  if (next) queueMicrotask(() => ask(next));
}

/** The mode of a retried message: as before, unless that failed. */
function modeOf(answer: Message | undefined): Question['mode'] {
  if (answer?.role !== 'assistant') return undefined;
  return answer.parts.some(({ type }) => type === 'data-job') ? 'background' : 'answer';
}

/**
 * A chat address does not name its organization: a chat of another organization of the person is opened there. True
 * until it is.
 */
function useHomeOrganization(thread: string | undefined, home: string | undefined): boolean {
  const { organization, organizations } = useSignedIn();
  const navigate = useNavigate();
  const elsewhere =
    home === undefined || home === organization.id ? undefined : organizations.find(({ id }) => id === home)?.slug;
  useEffect(() => {
    if (thread !== undefined && elsewhere !== undefined)
      void navigate({
        to: '/chat/$thread',
        params: { thread },
        search: { org: elsewhere, workspace: undefined },
        replace: true,
      });
  }, [thread, elsewhere, navigate]);
  return elsewhere !== undefined;
}

interface ChatModel {
  readonly query: ReturnType<typeof useModels>;
  readonly chosen: ListedModel | undefined;
  pick(model: string): void;
}

const useModels = (place: Parameters<typeof modelsQuery>[0]) => useQuery(modelsQuery(place));

/**
 * The models of a workspace, and the one for the next message: the one picked in this chat, otherwise the one that
 * answered last, otherwise the project's, if it can answer, otherwise the last pick in this browser.
 */
function useChatModel(
  place: { organization: string; workspace: string | undefined },
  chat: string,
  { answered, usual }: { answered: string | undefined; usual: string | undefined },
): ChatModel {
  const query = useModels(place);
  const [picked, setPicked] = useState<{ chat: string; model: string }>();
  const ofProject = query.data && offerModels(query.data).available.find(({ id }) => id === usual)?.id;
  const wished =
    (picked?.chat === chat ? picked.model : (answered ?? ofProject)) ??
    picked?.model ??
    rememberedModel(place.organization);
  return {
    query,
    chosen: query.data && chooseModel(query.data, wished),
    pick(model) {
      setPicked({ chat, model });
      rememberModel(place.organization, model);
    },
  };
}

const NOTHING_SET: AnswerSettings = {};

/**
 * What is set for answers in a chat: in this tab, otherwise for its last answer. They are stored with each answer, so
 * they are the same in every browser.
 */
function useAnswerSettings(chat: string, answered: MessageMetadata | undefined, model: ListedModel | undefined) {
  const [picked, setPicked] = useState<{ chat: string; settings: AnswerSettings }>();
  // A new chat has just become a thread if it has no answer yet.
  const wished =
    picked !== undefined && (picked.chat === chat || answered === undefined)
      ? picked.settings
      : (answered ?? NOTHING_SET);
  const { effort, temperature } = model === undefined ? NOTHING_SET : fitSettings(model.capabilities, wished);
  const sent = useMemo(
    () => ({ ...(effort === undefined ? {} : { effort }), ...(temperature === undefined ? {} : { temperature }) }),
    [effort, temperature],
  );
  return {
    wished: { effort: wished.effort, temperature: wished.temperature },
    sent,
    pick: (settings: AnswerSettings) => setPicked({ chat, settings }),
  };
}
