// One call of the model: streamed, requested again where the stream breaks off, and noted.
import { type ModelMessage, stepCountIs, streamText, type ToolSet } from 'ai';
import { AppError } from '../../base/errors.ts';
import type { Json } from '../../base/canonical-json.ts';
import { RunFailure } from '../../runs/delivery/engine.ts';
import type { RunModels } from '../run-models.ts';
import type { AgentTools } from './agent-tool.ts';
import type { RunModel } from './choose-model.ts';
import { createRunLanguageModel } from './model-provider.ts';
import type { RunNotes } from './run-notes.ts';

const STREAM_RETRIES = 2;

export interface AskDeps {
  readonly models: RunModels;
  readonly chosen: RunModel;
  readonly notes: RunNotes;
  readonly tools: AgentTools;
  readonly instructions: string;
  readonly signal: AbortSignal;
}

export function createAsk(deps: AskDeps): (messages: readonly ModelMessage[]) => Promise<void> {
  const { models, chosen, notes, instructions, signal } = deps;
  const { model, refusal, fault } = createRunLanguageModel(models, chosen);
  const tools = Object.fromEntries(Object.entries(deps.tools).map(([name, { offer }]) => [name, offer])) as ToolSet;
  return async (messages) => {
    signal.throwIfAborted();
    const before = models.used();
    await notes.modelStarted(chosen.name);
    const result = streamText({
      model,
      instructions,
      messages: [...messages],
      tools,
      streamRetries: STREAM_RETRIES,
      stopWhen: stepCountIs(1),
      abortSignal: signal,
      // The provider stores nothing of a run.
      providerOptions: { openai: { store: false } },
      onError: () => {},
    });
    for await (const part of result.fullStream) {
      if (part.type === 'error') throw refusal() ?? fault() ?? asFailure(part.error);
      if (part.type === 'abort') throw signal.reason;
    }
    const said = (await result.responseMessages).find(({ role }) => role === 'assistant')?.content ?? [];
    const used = models.used();
    await notes.modelAnswered({
      model: chosen.name,
      served: used.served,
      credential: used.credential,
      inputTokens: used.inputTokens - before.inputTokens,
      outputTokens: used.outputTokens - before.outputTokens,
      costMicros: used.costMicros - before.costMicros,
      text: await result.text,
      content: (typeof said === 'string' ? [{ type: 'text', text: said }] : said) as unknown as readonly Json[],
    });
  };
}

/** For errors of the model client: an answer that broke off or cannot be parsed. */
function asFailure(error: unknown): unknown {
  return error instanceof AppError || error instanceof RunFailure
    ? error
    : new AppError('provider_unavailable', {}, { cause: error });
}
