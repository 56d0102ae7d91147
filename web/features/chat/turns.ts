import type { ChatRequest } from '../../../src/contract/threads.ts';
import type { Fault } from '../../api/fault.ts';
import type { LiveAnswer } from './apply-chunk.ts';
import type { UploadedFile } from './chat-client.ts';

export interface Question {
  readonly text: string;
  readonly attachments: readonly UploadedFile[];
  /** Left to the server when absent: a message that names a capability starts a run. */
  readonly mode?: ChatRequest['mode'];
}

export interface Turn {
  /** Undefined while a new chat has no thread yet. */
  readonly thread: string | undefined;
  readonly phase: 'sending' | 'answering' | 'stopping' | 'lost' | 'refused';
  /** The person's message for as long as the server has not stored it. */
  readonly question: Question | undefined;
  /** The message it stands in for: edit and retry. */
  readonly replace: string | undefined;
  readonly answer: LiveAnswer;
  readonly fault?: Fault;
}

/** Drawing more often than the eye sees would only make a long answer slow. */
const DRAW_EVERY_MS = 33;

/** The turn that is shown. Each has its own number; whatever carries an old one has been left. */
export interface Turns {
  get(): Turn | undefined;
  subscribe(listener: () => void): () => void;
  set(turn: Turn | undefined): void;
  /** Shows more of the answer, soon. */
  draw(answer: LiveAnswer): void;
  begin(turn: Turn): number;
  current(): number;
  leave(): void;
}

export function createTurns(): Turns {
  const listeners = new Set<() => void>();
  let turn: Turn | undefined;
  let current = 0;
  let drawing: ReturnType<typeof setTimeout> | undefined;

  function set(next: Turn | undefined): void {
    clearTimeout(drawing);
    drawing = undefined;
    turn = next;
    for (const listener of listeners) listener();
  }

  return {
    get: () => turn,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set,
    draw(answer) {
      // What has been read is the truth at once; only telling about it waits.
      if (turn) turn = { ...turn, answer };
      drawing ??= setTimeout(() => set(turn), DRAW_EVERY_MS);
    },
    begin(next) {
      current += 1;
      set(next);
      return current;
    },
    current: () => current,
    leave() {
      current += 1;
      if (turn) set(undefined);
    },
  };
}
