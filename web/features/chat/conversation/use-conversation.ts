// The open chat: its stored messages from the query cache, and the current turn.
import { useInfiniteQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { ChatRequest, Message, Thread } from '../../../../src/contract/threads.ts';
import { ask, follow, type Stored } from '../chat-client.ts';
import { threadQuery } from '../queries.ts';
import { api, client } from '../../../api/client.ts';
import { type Fault, isUnauthenticated } from '../../../api/fault.ts';
import { setSessionEnded } from '../../../session/session-state.ts';
import { toastFault, toastProblem } from '../../../kit/toasts.tsx';
import {
  type Conversation,
  type ConversationDeps,
  createConversation,
  type Moment,
  type Place,
} from './create-conversation.ts';
import type { Question, Turn } from '../answer/turns.ts';
import { markBusy } from './busy-threads.ts';
import {
  allMessages,
  cutAfter,
  cutFrom,
  findMessage,
  lastEnd,
  openPages,
  putMessage,
  reachesEnd,
  setStreaming,
  type ThreadPages,
} from '../thread-pages.ts';

export interface OpenChat {
  readonly conversation: Conversation;
  readonly turn: Turn | undefined;
  /** The stored messages, without those that the current turn replaces. A refused turn replaces nothing. */
  readonly messages: readonly Message[];
  readonly query: ReturnType<typeof useThread>;
  readonly moment: Moment | undefined;
}

/** What happens to messages that the server did not accept, and after the end of a turn. */
type Unsent = Pick<ConversationDeps, 'keepUnsent' | 'giveBack' | 'onSuperseded'> & {
  hold(thread: string, question: Question, why: Fault): void;
  /** The message that was edited is no longer shown: its edit waits with the others. */
  holdEdit(thread: string, message: string, edit: Question): void;
  onMoment(moment: Moment): void;
  /** The answer is a run. */
  onRun(run: string): void;
};

const useThread = (thread: string | undefined, message: string | undefined) =>
  useInfiniteQuery({ ...threadQuery(thread ?? '', message), enabled: thread !== undefined });

/** A model writes the title after the first answer; these are the delays before checking for it. */
const LOOK_FOR_TITLE_MS = [1_000, 3_000, 8_000] as const;

export function useConversation(
  { thread, message }: { thread: string | undefined; message: string | undefined },
  onThread: (thread: string) => void,
  unsent: Unsent,
): OpenChat {
  const queryClient = useQueryClient();
  const query = useThread(thread, message);
  const [moment, announce] = useState<Moment>();
  const conversation = useMemo(() => connect(queryClient, announce, onThread, unsent), [queryClient, onThread, unsent]);
  // The words of the answer are read where they are shown: the rest of the page is not drawn with each of them.
  const turn = useSyncExternalStore(conversation.subscribe, conversation.getSteady, conversation.getSteady);
  const streaming = query.data?.pages[0]?.streaming === true;

  useEffect(() => {
    const mark = (): void => markBusy(conversation, conversation.get()?.thread);
    mark();
    const stop = conversation.subscribe(mark);
    return () => {
      stop();
      markBusy(conversation, undefined);
    };
  }, [conversation]);

  // Another chat was opened: the turn of the last one continues on the server.
  useEffect(() => {
    const under = conversation.get();
    if (under !== undefined && under.thread !== thread) conversation.leave();
  }, [conversation, thread]);
  useEffect(() => () => conversation.leave(), [conversation]);
  const idle = turn === undefined;
  useEffect(() => {
    if (thread === undefined || !idle || conversation.get() !== undefined) return;
    // The cache knows of the end of a turn before it has told this hook.
    const known = queryClient.getQueryData<ThreadPages>(threadQuery(thread).queryKey);
    if (streaming && known?.pages[0]?.streaming === true) void conversation.resume(thread);
  }, [conversation, queryClient, thread, streaming, idle]);

  const own = turn?.thread === thread ? turn : undefined;
  const stored = query.data === undefined ? [] : allMessages(query.data);
  const replacing = own?.phase === 'refused' ? undefined : own?.replace;
  const messages =
    replacing === undefined
      ? stored
      : stored.slice(
          0,
          Math.max(
            0,
            stored.findIndex(({ id }) => id === replacing),
          ),
        );
  return { conversation, turn: own, messages, query, moment };
}

function connect(
  queryClient: QueryClient,
  announce: (moment: Moment) => void,
  onThread: (thread: string) => void,
  unsent: Unsent,
): Conversation {
  const change = (thread: string, how: (data: ThreadPages) => ThreadPages): void => {
    queryClient.setQueryData<ThreadPages>(threadQuery(thread).queryKey, (data) => data && how(data));
  };
  const rereadList = (): Promise<void> => queryClient.invalidateQueries({ queryKey: api.threads.list.key() });

  const read = (thread: string): ThreadPages | undefined =>
    queryClient.getQueryData<ThreadPages>(threadQuery(thread).queryKey);
  const reread = (thread: string): Promise<void> =>
    queryClient.invalidateQueries({ queryKey: threadQuery(thread).queryKey });
  const { hold, holdEdit, onMoment, onRun, ...others } = unsent;
  const rereadChanged = async (thread: string, question: Question, replace: string | undefined): Promise<void> => {
    await reread(thread);
    const now = read(thread);
    // Another version of the message is shown, made elsewhere.
    const isGone = replace !== undefined && now !== undefined && findMessage(now, replace) === undefined;
    if (isGone) holdEdit(thread, replace, question);
  };

  return createConversation({
    ask: (request) => ask(sayWhatWasSeen(request, read)),
    follow,
    stop: (thread) =>
      client.chat.stop({ thread }).catch((error: unknown) => {
        toastFault(error);
        throw error;
      }),
    onStored(stored, { place, question, replace, isNew, fault, answering }) {
      const known = stored.message === replace ? read(stored.thread) : undefined;
      const message = asMessage(stored, question, fault, known && findMessage(known, stored.message));
      if (isNew)
        queryClient.setQueryData<ThreadPages>(
          threadQuery(stored.thread).queryKey,
          openPages(asThread(stored, place, question), [message]),
        );
      else if (known) change(stored.thread, (data) => cutAfter(data, message));
      else change(stored.thread, (data) => putMessage(replace === undefined ? data : cutFrom(data, replace), message));
      change(stored.thread, (data) => setStreaming(data, answering));
      void rereadList();
    },
    onAnswered(thread, message, mayBeVersion) {
      change(thread, (data) => setStreaming(putMessage(data, message), false));
      for (const part of message.parts) if (part.type === 'data-job') onRun(part.data.id);
      if (mayBeVersion) void reread(thread);
      const data = read(thread);
      const isFirst = data !== undefined && allMessages(data).length <= 2;
      void rereadList();
      if (isFirst) for (const ms of LOOK_FOR_TITLE_MS) setTimeout(() => void rereadList(), ms);
    },
    async reread(thread) {
      // Nothing is being written; should the read fail, the page must not follow it again and again.
      change(thread, (data) => setStreaming(data, false));
      await reread(thread);
      void rereadList();
      return lastEnd(read(thread));
    },
    onConflict(thread, { question, replace, fault }) {
      if (replace === undefined) hold(thread, question, fault);
      else {
        unsent.giveBack({ thread, replace }, question);
        toastProblem(fault.text);
      }
      void rereadChanged(thread, question, replace);
    },
    ...others,
    onThread,
    onFault: (error) => {
      if (isUnauthenticated(error)) setSessionEnded(true);
    },
    announce(moment) {
      announce(moment);
      onMoment(moment);
    },
    pause: pauseOrOnline,
  });
}

/** The server refuses a message to a thread that was changed elsewhere and not yet read again here. */
function sayWhatWasSeen(request: ChatRequest, read: (thread: string) => ThreadPages | undefined): ChatRequest {
  const data = request.thread === undefined || request.replace !== undefined ? undefined : read(request.thread);
  const last = data && reachesEnd(data) ? allMessages(data).at(-1) : undefined;
  return last === undefined ? request : { ...request, after: last.id };
}

/** Waits, but not longer than until the browser is online again. */
function pauseOrOnline(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const online = (): void => resolve();
  window.addEventListener('online', online);
  return promise.finally(() => {
    clearTimeout(timer);
    window.removeEventListener('online', online);
  });
}

/** As the server stores it. `known` is the same message, asked again. */
function asMessage(
  { message }: Stored,
  { text, attachments }: Question,
  fault: Fault | undefined,
  known: Message | undefined,
): Message {
  const at = new Date().toISOString();
  const error = fault && { code: fault.code, message: fault.text, at };
  if (known) {
    const { error: _before, ...metadata } = known.metadata;
    return { ...known, metadata: error ? { ...metadata, error } : metadata };
  }
  return {
    id: message,
    role: 'user',
    parts: [
      ...attachments.map(({ id, name, type, size, parts }) => ({
        type: 'data-attachment' as const,
        data: { id, name, type, size, parts },
      })),
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ],
    metadata: error ? { error } : {},
    createdAt: at,
  };
}

/** Until the list of chats, which has its title and the id of Default, is refetched. */
function asThread({ thread }: Stored, { workspace, project }: Place, { text, attachments }: Question): Thread {
  const now = new Date().toISOString();
  return {
    id: thread,
    title: text.trim().slice(0, 60) || (attachments[0]?.name ?? ''),
    workspace: workspace ?? '',
    ...(workspace === undefined ? {} : { workspacePicked: true }),
    ...(project === undefined ? {} : { project }),
    createdAt: now,
    updatedAt: now,
  };
}
