import type { ChatRequest } from '../../../../src/contract/threads.ts';
import type { Fault } from '../../../api/fault.ts';
import type { LiveAnswer } from './apply-chunk.ts';
import type { UploadedFile } from '../chat-client.ts';

export interface Question {
  readonly text: string;
  readonly attachments: readonly UploadedFile[];
  /** When absent, the server decides: a message that mentions a capability starts a run. */
  readonly mode?: ChatRequest['mode'];
  /** Its run is started. */
  readonly recipe?: NonNullable<ChatRequest['recipe']>;
}

export interface Turn {
  /** Undefined while a new chat has no thread yet. */
  readonly thread: string | undefined;
  readonly phase: 'sending' | 'answering' | 'stopping' | 'lost' | 'refused';
  /** The person's message until the server has stored it. */
  readonly question: Question | undefined;
  /** The message of which it makes a version, on edit and retry. */
  readonly replace: string | undefined;
  readonly answer: LiveAnswer;
  readonly fault?: Fault;
  /** The connection was lost and is being restored. */
  readonly reconnecting?: boolean;
}

/** Rendering more often would only slow down a long answer. */
const DRAW_EVERY_MS = 33;

/** The turn on screen. Each has a number; events with an older number are stale. */
export interface Turns {
  get(): Turn | undefined;
  /** The same object while only words are added to the answer, for what need not be drawn with every word. */
  getSteady(): Turn | undefined;
  subscribe(listener: () => void): () => void;
  set(turn: Turn | undefined): void;
  /** Schedules a render of the answer. */
  draw(answer: LiveAnswer): void;
  begin(turn: Turn): number;
  current(): number;
  leave(): void;
}

export function createTurns(): Turns {
  const listeners = new Set<() => void>();
  let turn: Turn | undefined;
  let steady: Turn | undefined;
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
    getSteady: () => (steady = differsInWords(steady, turn) ? steady : turn),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set,
    draw(answer) {
      // State changes at once; only the notification is delayed.
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

/** Whether both are one turn, and all that changed are the words of its answer. */
function differsInWords(before: Turn | undefined, now: Turn | undefined): boolean {
  if (before === undefined || now === undefined) return before === now;
  const { answer, ...rest } = before;
  const { answer: after, ...nowRest } = now;
  const keys = new Set([...Object.keys(rest), ...Object.keys(nowRest)] as (keyof typeof rest)[]);
  return (
    [...keys].every((key) => rest[key] === nowRest[key]) &&
    answer.id === after.id &&
    answer.metadata === after.metadata &&
    answer.end === after.end &&
    answer.parts.length === after.parts.length
  );
}
