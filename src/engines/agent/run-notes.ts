// What an agent's run records while it works: short facts in receipts, the content in the run's log. All engines use the
// same format: a step is `model`, `tool.started` or `tool.ended`.
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
  modelAnswered(step: ModelStep): Promise<void>;
  toolStarted(tool: string, detail: Json): Promise<void>;
  toolEnded(tool: string, fact: Readonly<Record<string, Json>>, detail: Json): Promise<void>;
  /** How often the model has answered. */
  readonly steps: number;
}

export function createRunNotes(attempt: Pick<RunAttempt, 'progress'>): RunNotes {
  let steps = 0;
  return {
    get steps() {
      return steps;
    },
    began: ({ driver, limits }, fact) =>
      attempt.progress({ type: 'began', ...fact, sandbox: driver, limits: { ...limits } }),
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
      await attempt.progress(fact, text === '' ? undefined : { text: storable(text) });
    },
    toolStarted: (tool, detail) => attempt.progress({ type: 'tool.started', step: steps, tool }, detail),
    toolEnded: (tool, fact, detail) => attempt.progress({ type: 'tool.ended', step: steps, tool, ...fact }, detail),
  };
}

/** PostgreSQL and hashes accept neither null characters nor unpaired surrogates. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\u{fffd}');
}
