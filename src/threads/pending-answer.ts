// An answer from the moment it is requested. Nothing is stored until the turn is admitted, so that a refusal leaves the
// thread as it was; from then on it is live.
import { AppError } from '../base/errors.ts';
import type { MessageMetadata } from '../contract/threads.ts';
import type { TurnSink } from '../turns/answer-turn.ts';
import { type AnswerClient, type LiveAnswer, type LiveDeps, openLiveAnswer } from './live-answer.ts';
import { type BeginTurn, beginTurn, type BegunTurn } from './begin-turn.ts';

export interface PendingAnswer extends TurnSink {
  readonly gone: AbortSignal;
  /** Adds details to the turn before the answer begins. */
  note(metadata: MessageMetadata): void;
  /** Stores the message and claims the thread. */
  admitted(): Promise<Begun>;
  /** Undefined while nothing is stored. */
  begun(): Begun | undefined;
  /** The process is shutting down. */
  interrupt(): void;
}

interface Begun {
  readonly turn: BegunTurn;
  readonly answer: LiveAnswer;
}

export function openPendingAnswer(deps: LiveDeps, begin: BeginTurn, client: AnswerClient): PendingAnswer {
  const ending = new AbortController();
  let begun: Begun | undefined;
  let metadata: MessageMetadata = {};
  return {
    kind: 'streamed',
    get gone() {
      return begun?.answer.gone ?? ending.signal;
    },
    note: (known) => {
      metadata = { ...metadata, ...known };
    },
    async admitted() {
      if (ending.signal.aborted) throw new AppError('unavailable');
      const turn = await beginTurn(deps.db, begin);
      client.stored(turn);
      const answer = openLiveAnswer(deps, turn, client);
      answer.note(metadata);
      if (ending.signal.aborted) answer.interrupt();
      begun = { turn, answer };
      return begun;
    },
    begun: () => begun,
    tried: (course) => client.tried?.(course),
    waiting: (head) => begun?.answer.waiting?.(head),
    begin(head) {
      if (!begun) throw new Error('answer began before its turn was admitted');
      return begun.answer.begin(head);
    },
    onDrain: (resume) => begun?.answer.onDrain(resume),
    interrupt() {
      ending.abort();
      begun?.answer.interrupt();
    },
  };
}
