// What the keys of a chat do; `kit/keys/key-table.ts` has the keys.
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Message } from '../../../src/contract/threads.ts';
import { copyText } from '../../kit/copy-text.ts';
import { useKeys } from '../../kit/keys/use-keys.ts';
import { common } from '../../kit/strings.ts';
import { toastDone, toastFault, toastProblem } from '../../kit/toasts.tsx';
import { textOf } from './answer/text-of.ts';
import { readWhole } from './chat-client.ts';
import { threadsQuery } from './queries.ts';
import { chatStrings as strings } from './strings.ts';
import { findNeighbour } from './threads/list-threads.ts';
import type { ChatState } from './use-chat-state.ts';

interface ChatKeys {
  /** Undefined while no answer is being written. */
  stop: (() => void) | undefined;
  newChat: () => void;
  foldChats: () => void;
}

export function useChatKeys({ thread, organization, messages, focusPrompt }: ChatState, keys: ChatKeys): void {
  const navigate = useNavigate();
  const threads = useInfiniteQuery(threadsQuery(organization)).data?.pages.flatMap((page) => page.threads) ?? [];
  const step = (by: 1 | -1) => (): void => {
    const next = findNeighbour(threads, thread, by);
    if (next === undefined) return;
    void navigate({
      to: '/chat/$thread',
      params: { thread: next.id },
      search: (before) => ({ ...before, message: undefined, project: undefined }),
    });
  };
  const answer = messages.findLast((message) => message.role === 'assistant' && textOf(message) !== '');
  useKeys({
    ...keys,
    prompt: focusPrompt,
    nextChat: step(1),
    previousChat: step(-1),
    copyAnswer: answer && (() => void copyAnswer(thread, answer)),
  });
}

async function copyAnswer(thread: string | undefined, answer: Message): Promise<void> {
  const isCut = thread !== undefined && answer.wholeBytes !== undefined;
  const whole = isCut
    ? await readWhole<Message>(`/api/threads/${encodeURIComponent(thread)}`, answer.id).catch(toastFault)
    : answer;
  if (!whole) return;
  if (await copyText(textOf(whole))) toastDone(strings.answerCopied);
  else toastProblem(common.copyFailed);
}
