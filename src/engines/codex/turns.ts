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
  /** Rejects if somebody has said something: the turn is over, and the request is not made. */
  beforeModel(): Promise<void>;
  /** One turn after the other, until one ends with an answer and nobody has said more. */
  through(first: Turn, work: Work): Promise<string>;
}

interface Turn {
  readonly prompt: string;
  /** It goes on with the session. */
  readonly resumes: boolean;
}

type Work = (turn: Turn, ended: AbortSignal) => Promise<string>;

/** @param listen notes what people have said since, and returns it */
export function createTurns(notes: Pick<RunNotes, 'journal'>, listen: () => Promise<readonly string[]>): Turns {
  let sandbox: Pick<RunSandbox, 'save'> | undefined;
  let ending = new AbortController();
  let end: End | undefined;
  /** How far the journal was when the model was last asked: what came after may not be in the session file yet. */
  let told = 0;
  let asked = false;
  let before = Promise.resolve();
  const finish = (reason: End): void => {
    end ??= reason;
    ending.abort(reason);
  };
  const prepare = async (): Promise<void> => {
    const known = notes.journal.length;
    // Before the first request nothing was done. What Codex did since may not have reached the journal yet.
    if (asked) await sandbox?.save(savedAt(told));
    asked = true;
    told = known;
    const heard = await listen();
    if (heard.length === 0) return;
    finish({ told: heard });
    throw new Error('the turn ends, so that Codex hears what was said');
  };
  const make = async (turn: Turn, work: Work): Promise<Said> => {
    ending = new AbortController();
    end = undefined;
    try {
      const answer = await work(turn, ending.signal);
      const heard = await listen();
      return heard.length > 0 ? { told: heard } : { answer };
    } catch (error) {
      // Written by what ended the turn while it lasted.
      const reason = end as End | undefined;
      if (reason === undefined || error !== reason) throw error;
      if ('refusal' in reason) throw reason.refusal;
      return reason;
    }
  };
  return {
    open(opened) {
      sandbox = opened;
      told = notes.journal.length;
    },
    end: finish,
    // One after the other: two requests at once would keep the same files twice.
    beforeModel: () => (before = before.catch(() => {}).then(prepare)),
    async through(first, work) {
      for (let turn = first; ;) {
        const said = await make(turn, work);
        if ('answer' in said) return said.answer;
        turn = { prompt: said.told.join('\n\n'), resumes: true };
      }
    },
  };
}
