// What an agent's run records while it works: short facts in receipts, the content in the run's log. All engines use the
// same format: a step is `model.started`, `model`, `tool.started` or `tool.ended`.
import type { Json } from '../../base/canonical-json.ts';
import type { Confinement } from '../../contract/sandbox-limits.ts';
import type { RunAttempt } from '../../runs/delivery/engine.ts';

interface ModelStep {
  readonly model: string;
  readonly served?: string | undefined;
  readonly credential: string | undefined;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costMicros: number;
  readonly text: string;
}

export interface RunNotes {
  /** The attempt has its sandbox; find-run-sandbox.ts reads its confinement from this receipt. */
  began(sandbox: Confinement, fact: Readonly<Record<string, Json>>): Promise<void>;
  /** Of a model that is called again at once, only the first call is recorded. */
  modelStarted(model: string): Promise<void>;
  modelAnswered(step: ModelStep): Promise<void>;
  /** Returns the id of the event, if one was recorded. */
  toolStarted(tool: string, detail: Json): Promise<number | undefined>;
  toolEnded(tool: string, fact: Readonly<Record<string, Json>>, detail: Json): Promise<void>;
  /** How often the model has answered. */
  readonly steps: number;
}

export function createRunNotes(attempt: Pick<RunAttempt, 'progress'>): RunNotes {
  let steps = 0;
  let waits = false;
  const record: RunAttempt['progress'] = (fact, detail) => {
    waits = fact['type'] === 'model.started';
    return attempt.progress(fact, detail);
  };
  return {
    get steps() {
      return steps;
    },
    async began({ driver, limits }, fact) {
      await record({ type: 'began', ...fact, sandbox: driver, limits: { ...limits } });
    },
    async modelStarted(model) {
      if (!waits) await record({ type: 'model.started', step: steps + 1, model });
    },
    async modelAnswered({ model, served, credential, inputTokens, outputTokens, costMicros, text }) {
      steps++;
      const fact = {
        type: 'model',
        step: steps,
        model,
        ...(served === undefined ? {} : { served }),
        ...(credential === undefined ? {} : { credential }),
        inputTokens,
        outputTokens,
        costMicros,
      };
      await record(fact, text === '' ? undefined : { text: storable(text) });
    },
    toolStarted: (tool, detail) => record({ type: 'tool.started', step: steps, tool }, detail),
    async toolEnded(tool, fact, detail) {
      await record({ type: 'tool.ended', step: steps, tool, ...fact }, detail);
    },
  };
}

/** PostgreSQL and hashes accept neither null characters nor unpaired surrogates. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\u{fffd}');
}
