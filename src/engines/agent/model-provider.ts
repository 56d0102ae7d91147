// The AI SDK's OpenAI client with the service in place of the network: no key, no socket. Each request goes to the function
// that checks, funds and calls the model.
import { createOpenAI } from '@ai-sdk/openai';
import type { LanguageModel } from 'ai';
import type { AppError } from '../../base/errors.ts';
import type { RunModels } from '../run-models.ts';
import type { RunModel } from './choose-model.ts';

export interface RunLanguageModel {
  readonly model: LanguageModel;
  /** Why the last call was refused, if it was. */
  refusal(): AppError | undefined;
  /** The failure of the last call on our side, if any; never a failure of the provider. */
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
    // A refusal that a retry cannot fix ends the run at once.
    if (refusal && !refusal.retryable) throw refusal;
    return answer.response;
  };
  const openai = createOpenAI({ baseURL: `${ORIGIN}/v1`, apiKey: 'kept-by-the-service', fetch: send });
  return { model: openai.responses(upstream), refusal: () => refusal, fault: () => fault };
}
