// The agent's loop: it asks the journal for the next move, and makes it. Each move is in the journal when it is over, so
// the loop holds nothing that a crash could lose.
import type { ModelMessage } from 'ai';
import type { Journal } from '../../runs/record/journal.ts';
import { nextMove, type Told, type ToolCall } from './next-move.ts';

export interface Work {
  readonly told: Told;
  readonly journal: () => Journal;
  /** Notes what people have said since; whether there was any. */
  listen(): Promise<boolean>;
  /** Asks the model, and notes its answer. */
  ask(messages: readonly ModelMessage[]): Promise<void>;
  /** Makes the call, and notes that it began and how it ended. */
  call(call: ToolCall): Promise<void>;
  /** Notes that nobody knows how the call ended. */
  tellUnknown(call: ToolCall): Promise<void>;
}

/** Resolves with the answer. */
export async function workThrough(work: Work): Promise<string> {
  for (;;) {
    const move = nextMove(work.told, work.journal());
    if (move.do === 'call') await work.call(move.call);
    else if (move.do === 'tell-unknown') await work.tellUnknown(move.call);
    else if (await work.listen()) continue;
    else if (move.do === 'finish') return move.text;
    else await work.ask(move.messages);
  }
}
