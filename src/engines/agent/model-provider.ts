// The AI SDK's OpenAI client with the service in the place of the network: no key, no socket, each request handed to
// the function that checks, pays and calls.
import { createOpenAI } from '@ai-sdk/openai';
import type { LanguageModel } from 'ai';
import type { AppError } from '../../base/errors.ts';
import type { RunModels } from '../run-models.ts';
import type { RunModel } from './choose-model.ts';

export interface RunLanguageModel {
  readonly model: LanguageModel;
  /** Why the last call was refused, if it was. */
  refusal(): AppError | undefined;
  /** What the last call failed of on our side, before or instead of the provider: never the provider's fault. */
  fault(): unknown;
}

const ORIGIN = 'http://models.invalid';

export function createRunLanguageModel(models: RunModels, { name, upstream }: RunModel): RunLanguageModel {
  let refusal: AppError | undefined;
  let fault: unknown;
  const send: typeof globalThis.fetch = async (input, init) => {
    const body = JSON.parse(typeof init?.body === 'string' ? init.body : '{}') as Record<string, unknown>;
    const path = new URL(input instanceof Request ? input.url : input).pathname;
    const answer = await models
      .call({ path, body: { ...body, model: name }, signal: init?.signal ?? new AbortController().signal })
      .catch((error: unknown) => {
        fault = error;
        throw error;
      });
    fault = undefined;
    refusal = answer.refusal;
    // What asking again cannot fix ends the run at once.
    if (refusal && !refusal.retryable) throw refusal;
    return answer.response;
  };
  const openai = createOpenAI({ baseURL: `${ORIGIN}/v1`, apiKey: 'kept-by-the-service', fetch: send });
  return { model: openai.responses(upstream), refusal: () => refusal, fault: () => fault };
}
