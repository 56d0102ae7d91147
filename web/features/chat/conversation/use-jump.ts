import { useEffect, useRef } from 'react';
import type { Message } from '../../../../src/contract/threads.ts';
import { toastProblem } from '../../../kit/toasts.tsx';
import { chatStrings as strings } from '../strings.ts';

interface Jump {
  /** The message to show; undefined for none. */
  readonly message: string | undefined;
  readonly messages: readonly Message[];
  readonly pages: {
    readonly isSuccess: boolean;
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly isFetchNextPageError: boolean;
    fetchNextPage(): unknown;
  };
  toElement(element: Element): void;
}

/** Shows a message that the address names, once: earlier pages are loaded until it is there. */
export function useJump({ message, messages, pages, toElement }: Jump): void {
  const shown = useRef<string>(undefined);
  useEffect(() => {
    if (message === undefined) {
      shown.current = undefined;
      unmark();
      return;
    }
    if (!pages.isSuccess || shown.current === message) return;
    if (messages.some(({ id }) => id === message)) {
      shown.current = message;
      const element = document.querySelector(`[data-message="${CSS.escape(message)}"]`);
      if (element !== null) show(element, toElement);
    } else if (pages.hasNextPage) {
      if (!pages.isFetchingNextPage && !pages.isFetchNextPageError) pages.fetchNextPage();
    } else {
      shown.current = message;
      toastProblem(strings.messageGone);
    }
  }, [message, messages, pages, toElement]);
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
