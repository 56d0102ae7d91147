import { expect, test } from 'vitest';
import { openAiModel } from '../demo/rules/openai-models.ts';
import { toolsNeedResponses } from './tools-need-responses.ts';

const MODELS = ['gpt-4.1', 'o3', 'gpt-5', 'gpt-5.4', 'gpt-5.5', 'gpt-5.6-sol', 'gpt-6-luna', 'gpt-6-astra'];
const TOOLS = [{ type: 'function', function: { name: 'look' } }];

test.each(MODELS)('%s is asked where it takes tools', (model) => {
  const { chatTools, usualEffort } = openAiModel(model);
  for (const effort of [undefined, 'none', 'low']) {
    const body = { tools: TOOLS, ...(effort === undefined ? {} : { reasoning_effort: effort }) };
    const refuses = chatTools === 'never' || (chatTools === 'without-reasoning' && (effort ?? usualEffort) !== 'none');
    expect(toolsNeedResponses(model, { surface: 'chat', body })).toBe(refuses);
  }
  expect(toolsNeedResponses(model, { surface: 'messages', body: { tools: TOOLS } })).toBe(chatTools !== 'any');
});

test.each(MODELS)('%s is asked on the surface of the client while no tools are offered', (model) => {
  expect(toolsNeedResponses(model, { surface: 'chat', body: { tools: [] } })).toBe(false);
  expect(toolsNeedResponses(model, { surface: 'messages', body: {} })).toBe(false);
});
