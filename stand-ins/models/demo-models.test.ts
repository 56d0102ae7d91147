import { expect, test } from 'vitest';
import { checkModel, demoModels, listAnthropicModels } from './demo-models.ts';

const [openai] = demoModels('openai').filter(({ modality }) => modality === 'chat');
const [anthropic] = demoModels('anthropic');

test('a provider has the models that the catalogue declares at it, each once', () => {
  for (const provider of ['openai', 'anthropic']) {
    const ids = demoModels(provider).map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(2);
    expect(new Set(ids).size).toBe(ids.length);
  }
});

test('a model of another provider and one that begins with unknown are not found; any other name is taken', () => {
  expect(() => checkModel('openai', anthropic?.id ?? '', 'chat')).toThrow('does not exist');
  expect(() => checkModel('anthropic', openai?.id ?? '', 'chat')).toThrow(openai?.id ?? 'no model');
  expect(() => checkModel('openai', 'unknown-model', 'chat')).toThrow('does not exist');
  expect(() => checkModel('openai', 'somebody/new-model', 'chat')).not.toThrow();
});

test('a chat model makes no embeddings', () => {
  expect(() => checkModel('openai', openai?.id ?? '', 'embedding')).toThrow('is no embedding model');
});

test('the pages of a list are the list', () => {
  const models = demoModels('anthropic');
  const seen: string[] = [];
  for (let after = '', more = true; more;) {
    const page = listAnthropicModels(models, new URLSearchParams({ limit: '2', after_id: after })) as {
      data: { id: string }[];
      has_more: boolean;
      last_id: string;
    };
    seen.push(...page.data.map(({ id }) => id));
    [after, more] = [page.last_id, page.has_more];
  }
  expect(seen).toEqual(models.map(({ id }) => id));
});
