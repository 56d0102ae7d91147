// Holds back the end of an answer until the response is stored: a client that has seen the end may refer to it at once.
import type { AnswerWriter } from '../net/answer-writer.ts';
import type { Loose } from '../model-providers/codecs/read-fields.ts';
import type { ResponseBytes } from './stored-response.ts';

/** Stores a response that has ended. Never rejects: the answer matters more than being able to refer to it. */
export type Keep = (response: Loose | ResponseBytes) => Promise<void>;

export interface HeldWriter extends AnswerWriter {
  /** Everything written from now on is sent once the response is stored. */
  hold(response: Loose | ResponseBytes): void;
}

export function holdAnswer(writer: AnswerWriter, keep: Keep): HeldWriter {
  let waiting: (() => void)[] | undefined;
  const later = (action: () => void): void => void (waiting ? waiting.push(action) : action());

  async function keepAndRelease(response: Loose | ResponseBytes): Promise<void> {
    await keep(response);
    const actions = waiting ?? [];
    waiting = undefined;
    for (const action of actions) action();
  }

  return {
    hold(response) {
      if (waiting) return;
      waiting = [];
      void keepAndRelease(response);
    },
    write(bytes) {
      if (!waiting) return writer.write(bytes);
      waiting.push(() => void writer.write(bytes));
      return true;
    },
    end: () => later(() => writer.end()),
    refuse: (message) => later(() => writer.refuse(message)),
    // No one is waiting for the rest.
    destroy() {
      if (waiting) waiting = [];
      writer.destroy();
    },
  };
}
