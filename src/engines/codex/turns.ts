// The turns of a Codex run. Codex cannot be spoken to while a turn lasts. Before each request to the model it has finished
// what it did, so that is when its workspace is kept, and when a turn is ended to tell it what a person said.
import type { AppError } from '../../base/errors.ts';
import type { RunNotes } from '../agent/run-notes.ts';
import type { RunSandbox } from '../run-sandbox.ts';
import { savedAt } from './go-on.ts';

type End = { readonly refusal: AppError } | { readonly told: readonly string[] };
type Said = { readonly answer: string } | { readonly told: readonly string[] };

export interface Turns {
  open(sandbox: Pick<RunSandbox, 'save'>): void;
  /** Ends the turn that lasts; the first reason counts. */
  end(reason: End): void;
  beforeModel(): Promise<void>;
  turn(work: (ended: AbortSignal) => Promise<string>): Promise<Said>;
}

/** @param listen notes what people have said since, and returns it */
export function createTurns(notes: Pick<RunNotes, 'journal'>, listen: () => Promise<readonly string[]>): Turns {
  let sandbox: Pick<RunSandbox, 'save'> | undefined;
  let ending = new AbortController();
  let end: End | undefined;
  /** How far the journal was when the model was last asked: what came after may not be in the session file yet. */
  let told = 0;
  let before = Promise.resolve();
  const finish = (reason: End): void => {
    end ??= reason;
    ending.abort(reason);
  };
  const prepare = async (): Promise<void> => {
    const known = notes.journal.length;
    // Of an attempt that has done nothing yet there is nothing to keep.
    if (known > told) await sandbox?.save(savedAt(told));
    told = known;
    const heard = await listen();
    if (heard.length > 0) finish({ told: heard });
  };
  return {
    open(opened) {
      sandbox = opened;
      told = notes.journal.length;
    },
    end: finish,
    // One after the other: two requests at once would keep the same files twice.
    beforeModel: () => (before = before.then(prepare)),
    async turn(work) {
      ending = new AbortController();
      end = undefined;
      try {
        const answer = await work(ending.signal);
        const heard = await listen();
        return heard.length > 0 ? { told: heard } : { answer };
      } catch (error) {
        // Written by whatever ended the turn while it lasted.
        const reason = end as End | undefined;
        if (reason === undefined || error !== reason) throw error;
        if ('refusal' in reason) throw reason.refusal;
        return reason;
      }
    },
  };
}
