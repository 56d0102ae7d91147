// What an agent's run records while it works: short facts in receipts, the content in the run's log. All engines use the
// same format: a step is `model.started`, `model`, `tool.started` or `tool.ended`. What is recorded is the run's journal,
// which is kept here as it grows.
import type { Json } from '../../base/canonical-json.ts';
import { storable, toStorableJson } from '../../base/storable-json.ts';
import type { Confinement } from '../../contract/sandbox-limits.ts';
import type { RunAttempt } from '../../runs/delivery/engine.ts';
import { type Journal, type JournalEntry, outputOf, whatCounts } from '../../runs/record/journal.ts';

interface ModelStep {
  readonly model: string;
  readonly served?: string | undefined;
  readonly credential: string | undefined;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costMicros: number;
  readonly text: string;
  /** The parts of the answer as they are sent back to the model; its text alone, if absent. */
  readonly content?: readonly Json[];
}

type Facts = Readonly<Record<string, Json>>;

export interface RunNotes {
  /** The attempt has its sandbox; find-run-sandbox.ts reads its confinement from this receipt. `over`: it begins again. */
  began(sandbox: Confinement & { readonly restored?: string | undefined }, fact: Facts, over: boolean): Promise<void>;
  /** Of a model that is called again at once, only the first call is recorded. */
  modelStarted(model: string): Promise<void>;
  modelAnswered(step: ModelStep): Promise<void>;
  /** Returns the id of the event, if one was recorded. */
  toolStarted(tool: string, call: string, detail: Json): Promise<number | undefined>;
  toolEnded(tool: string, call: string, fact: Facts, detail: Readonly<Record<string, Json>>): Promise<void>;
  /** The model reads it from now on. */
  heard(message: { readonly id: string; readonly number: number; readonly text: string }): Promise<void>;
  /** How often the model has answered since the run last began again. */
  readonly steps: number;
  readonly journal: Journal;
}

export function createRunNotes(attempt: Pick<RunAttempt, 'progress'>, before: Journal = []): RunNotes {
  const journal: JournalEntry[] = [...before];
  let steps = countSteps(before);
  let waits = false;
  const record = async (fact: Facts, detail?: Json, entry?: JournalEntry): Promise<number | undefined> => {
    waits = fact['type'] === 'model.started';
    const event = await attempt.progress(fact, detail);
    if (entry) journal.push(entry);
    return event;
  };
  return {
    get steps() {
      return steps;
    },
    get journal() {
      return journal;
    },
    async began({ driver, limits, restored }, fact, over) {
      if (over) steps = 0;
      await record(
        {
          type: 'began',
          ...fact,
          ...(over ? {} : { step: steps, files: restored !== undefined }),
          sandbox: driver,
          limits: { ...limits },
        },
        undefined,
        { type: 'began', over },
      );
    },
    async modelStarted(model) {
      if (!waits) await record({ type: 'model.started', step: steps + 1, model });
    },
    async modelAnswered({ model, served, credential, inputTokens, outputTokens, costMicros, text, content }) {
      const use = { inputTokens, outputTokens, costMicros };
      const said = storable(text);
      const parts =
        content === undefined ? [{ type: 'text', text: said }] : (toStorableJson(content) as readonly Json[]);
      const fact = {
        type: 'model',
        step: steps + 1,
        model,
        ...(served === undefined ? {} : { served }),
        ...(credential === undefined ? {} : { credential }),
        ...use,
      };
      const detail = { ...(said === '' ? {} : { text: said }), journal: [...parts] };
      await record(fact, detail, { type: 'answered', content: parts, use });
      steps++;
    },
    toolStarted: (tool, call, detail) =>
      record({ type: 'tool.started', step: steps, tool, call }, detail, {
        type: 'started',
        step: steps,
        call,
        tool,
        asked: detail,
      }),
    async toolEnded(tool, call, fact, detail) {
      const entry: JournalEntry = {
        type: 'ended',
        step: steps,
        call,
        tool,
        output: outputOf(detail),
        unknown: fact['unknown'] === true,
      };
      await record({ type: 'tool.ended', step: steps, tool, call, ...fact }, detail, entry);
    },
    async heard({ id, number, text }) {
      await record({ type: 'message', message: id, number }, { text }, { type: 'message', number, text });
    },
  };
}

function countSteps(journal: Journal): number {
  return whatCounts(journal).filter(({ type }) => type === 'answered').length;
}
