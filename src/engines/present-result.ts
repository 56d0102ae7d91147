import type { Json } from '../base/canonical-json.ts';
import { storable } from '../base/storable-json.ts';
import type { CollectedArtifacts } from './collect-artifacts.ts';
import type { ModelUse } from './run-models.ts';

const ANSWER_MAX_CHARS = 200_000;

/** The result of a run, in the form that all engines share. */
export function presentResult(
  text: string,
  { steps, used, artifacts }: { steps: number; used: ModelUse; artifacts: CollectedArtifacts },
): Json {
  const { calls, inputTokens, outputTokens, costMicros, credential } = used;
  return {
    text: storable(text.slice(0, ANSWER_MAX_CHARS)),
    steps,
    usage: { calls, inputTokens, outputTokens },
    cost: costMicros / 1_000_000,
    ...(credential === undefined ? {} : { credential }),
    artifacts: artifacts.files.map(({ name, size }) => ({ name: storable(name), size })),
    ...(artifacts.cut === undefined ? {} : { artifactsCut: artifacts.cut as unknown as Json }),
  };
}
