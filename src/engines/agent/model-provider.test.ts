import { generateText } from 'ai';
import { expect, it } from 'vitest';
import type { RunModels } from '../run-models.ts';
import { createRunLanguageModel } from './model-provider.ts';

const CHOSEN = { name: 'openai/gpt-5-mini', upstream: 'gpt-5-mini' };

it('tells a failure on our side from a refusal of the provider', async () => {
  const full = Object.assign(new Error('could not extend file'), { code: '53100' });
  const models: RunModels = {
    call: () => Promise.reject(full),
    used: () => ({ calls: 0, inputTokens: 0, outputTokens: 0, costMicros: 0, credential: undefined }),
  };
  const { model, refusal, fault } = createRunLanguageModel(models, CHOSEN);
  await expect(generateText({ model, prompt: 'hello', maxRetries: 0 })).rejects.toThrow('could not extend file');
  expect([refusal(), fault()]).toEqual([undefined, full]);
});
