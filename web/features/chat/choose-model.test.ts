import { describe, expect, it } from 'vitest';
import type { ListedModel } from '../../../src/contract/models.ts';
import { chooseModel, explainDenials, offerModels } from './choose-model.ts';

const model = (id: string, more: Partial<ListedModel> = {}): ListedModel => ({
  id,
  name: id,
  modality: 'chat',
  providers: ['openai'],
  zdr: {},
  contextWindow: 1,
  maxOutputTokens: 1,
  price: null,
  allowed: true,
  denials: [],
  hasProviderKey: false,
  ...more,
});
const models = [
  model('openai/a', { name: 'Alpha' }),
  model('service/auto'),
  model('anthropic/b', { name: 'Beta', providers: ['anthropic'], hasProviderKey: true }),
  model('openai/off', { allowed: false }),
  model('openai/embed', { modality: 'embedding' }),
];
const open = { models, requireProviderKey: false };
const ids = (list: readonly ListedModel[]): string[] => list.map(({ id }) => id);

describe('the models a person may pick', () => {
  it('are the chat models, those that are not allowed apart', () => {
    expect(ids(offerModels(open).allowed)).toEqual(['openai/a', 'service/auto', 'anthropic/b']);
    expect(ids(offerModels(open).denied)).toEqual(['openai/off']);
  });

  it('are only those with a key when the organization requires its own provider key', () => {
    expect(offerModels({ models, requireProviderKey: true })).toEqual({ allowed: [models[2]], denied: [] });
  });

  it.each([
    ['alph', ['openai/a']],
    ['ANTHROPIC', ['anthropic/b']],
    ['openai alpha', ['openai/a']],
    ['nothing', []],
  ])('are found by name, id or provider: %s', (search, found) => {
    expect(ids(offerModels(open, search).allowed)).toEqual(found);
  });
});

describe('the model of a chat', () => {
  it('is the wished one, otherwise the automatic one, otherwise any that is allowed', () => {
    expect(chooseModel(open, 'anthropic/b')?.id).toBe('anthropic/b');
    expect(chooseModel(open, 'openai/off')?.id).toBe('openai/off');
    expect(chooseModel(open, 'openai/gone')?.id).toBe('service/auto');
    expect(chooseModel({ models, requireProviderKey: true }, 'openai/a')?.id).toBe('anthropic/b');
    expect(chooseModel({ models: [], requireProviderKey: false }, undefined)).toBeUndefined();
  });

  it('says why it is not allowed, each reason once', () => {
    expect(explainDenials(['policy_denied:provider', 'policy_denied:compliance'])).toBe(
      'This provider is disabled for your organization. Your organization requires zero data retention, which this model does not offer.',
    );
    expect(explainDenials(['policy_denied:new', 'policy_denied:newer'])).toBe(
      'Your organization’s policy does not allow this model.',
    );
  });
});
