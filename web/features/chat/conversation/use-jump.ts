import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Message } from '../../../../src/contract/threads.ts';
import { toastFault, toastProblem } from '../../../kit/toasts.tsx';
import { reopenThread } from '../queries.ts';
import { chatStrings as strings } from '../strings.ts';

interface Jump {
  readonly thread: string | undefined;
  /** The message to show; undefined for none. */
  readonly message: string | undefined;
  readonly messages: readonly Message[];
  /** Whether the messages are on the page. */
  readonly ready: boolean;
  /** Whether the latest message is loaded. */
  readonly atEnd: boolean;
  toElement(element: Element): void;
}

/** Shows a message that the address names, once, with what is around it. Without one, a chat opens at its end. */
export function useJump({ thread, message, messages, ready, atEnd, toElement }: Jump): void {
  const queryClient = useQueryClient();
  const asked = useRef<string>(undefined);
  const shown = useRef<string>(undefined);
  useEffect(() => {
    const place = `${thread} ${message}`;
    if (thread === undefined || !ready || shown.current === place) return;
    if (message !== undefined && messages.some(({ id }) => id === message)) {
      shown.current = place;
      const element = document.querySelector(`[data-message="${CSS.escape(message)}"]`);
      if (element !== null) show(element, toElement);
      return;
    }
    if (message === undefined) unmark();
    if (message === undefined && atEnd) shown.current = place;
    else if (asked.current !== place) {
      asked.current = place;
      void open(queryClient, thread, message);
    }
  }, [queryClient, thread, message, messages, ready, atEnd, toElement]);
}

async function open(queryClient: QueryClient, thread: string, message: string | undefined): Promise<void> {
  try {
    if (!(await reopenThread(queryClient, thread, message))) toastProblem(strings.messageGone);
  } catch (error) {
    toastFault(error);
  }
}

function show(element: Element, toElement: (element: Element) => void): void {
  unmark();
  element.setAttribute('data-found', '');
  toElement(element);
  // What came into view has its real height only now.
  requestAnimationFrame(() => toElement(element));
}

function unmark(): void {
  for (const before of document.querySelectorAll('[data-found]')) before.removeAttribute('data-found');
}
