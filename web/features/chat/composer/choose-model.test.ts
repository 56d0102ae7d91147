import { describe, expect, it } from 'vitest';
import type { ListedModel } from '../../../../src/contract/models.ts';
import { chooseModel, explainUnavailable, groupModels, offerModels, withPick, withPinToggled } from './choose-model.ts';

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
  takesOwnKey: true,
  forRuns: true,
  credential: 'platform',
  capabilities: { images: false, pdf: false, tools: true, efforts: [], temperature: true },
  ...more,
});
const models = [
  model('openai/a', { name: 'Alpha' }),
  model('service/auto'),
  model('anthropic/b', { name: 'Beta', providers: ['anthropic'], hasProviderKey: true }),
  model('openai/off', { allowed: false }),
  model('google/c', { providers: ['google'], credential: null }),
  model('openai/embed', { modality: 'embedding' }),
];
const open = { models, requireProviderKey: false };
const ids = (list: readonly ListedModel[]): string[] => list.map(({ id }) => id);

describe('the models a person may pick', () => {
  it('are the chat models, with those that are refused or that nothing can pay for listed separately', () => {
    expect(ids(offerModels(open).available)).toEqual(['openai/a', 'service/auto', 'anthropic/b']);
    expect(ids(offerModels(open).unavailable)).toEqual(['openai/off', 'google/c']);
  });

  it('are only those with a key when the organization requires its own provider key', () => {
    expect(offerModels({ models, requireProviderKey: true })).toEqual({ available: [models[2]], unavailable: [] });
  });

  it.each([
    ['alph', ['openai/a']],
    ['ANTHROPIC', ['anthropic/b']],
    ['openai alpha', ['openai/a']],
    ['nothing', []],
  ])('are found by name, id or provider: %s', (search, found) => {
    expect(ids(offerModels(open, search).available)).toEqual(found);
  });
});

describe('the model of a chat', () => {
  it('is the preferred one, otherwise the automatic one, otherwise any allowed one', () => {
    expect(chooseModel(open, 'anthropic/b')?.id).toBe('anthropic/b');
    expect(chooseModel(open, 'openai/off')?.id).toBe('openai/off');
    expect(chooseModel(open, 'openai/gone')?.id).toBe('service/auto');
    expect(chooseModel({ models, requireProviderKey: true }, 'openai/a')?.id).toBe('anthropic/b');
    expect(chooseModel({ models: [], requireProviderKey: false }, undefined)).toBeUndefined();
  });

  it('says why it is not allowed, each reason once', () => {
    const denied = (...denials: string[]): string => explainUnavailable(model('openai/off', { denials }));
    expect(denied('policy_denied:provider', 'policy_denied:compliance')).toBe(
      'This provider is disabled for your organization. Your organization requires zero data retention, which this model does not offer.',
    );
    expect(denied('policy_denied:new', 'policy_denied:newer')).toBe(
      'Your organization’s policy does not allow this model.',
    );
  });

  it('says what could pay for it when nothing can', () => {
    expect(explainUnavailable(model('openai/x', { credential: null }))).toContain('provider key');
    expect(explainUnavailable(model('google/x', { takesOwnKey: false, credential: null }))).toBe(
      'Needs a Models account that serves it.',
    );
  });
});

describe('the order of the models', () => {
  const { available } = offerModels({
    ...open,
    models: [
      model('service/auto', { providers: ['openai', 'anthropic'] }),
      ...models.filter(({ id }) => id !== 'service/auto'),
    ],
  });
  const grouped = (...[memory, searching = false]: [Parameters<typeof groupModels>[1], boolean?]): unknown =>
    groupModels(available, memory, searching).map(({ label, models: group }) => [label, ids(group)]);

  it('is by provider, what was pinned and used lately first, each model once', () => {
    expect(grouped({ pinned: [], recent: [] })).toEqual([
      ['Automatic', ['service/auto']],
      ['OpenAI', ['openai/a']],
      ['Anthropic', ['anthropic/b']],
    ]);
    expect(grouped({ pinned: ['anthropic/b'], recent: ['anthropic/b', 'openai/a', 'gone'] })).toEqual([
      ['Pinned', ['anthropic/b']],
      ['Recent', ['openai/a']],
      ['Automatic', ['service/auto']],
    ]);
  });

  it('is by provider alone while searching', () => {
    expect(grouped({ pinned: ['anthropic/b'], recent: ['openai/a'] }, true)).toEqual([
      ['Automatic', ['service/auto']],
      ['OpenAI', ['openai/a']],
      ['Anthropic', ['anthropic/b']],
    ]);
  });

  it('remembers the last three picks and every pin until it is taken back', () => {
    let memory = { pinned: ['x'] as readonly string[], recent: [] as readonly string[] };
    for (const id of ['a', 'b', 'c', 'd', 'b']) memory = withPick(memory, id);
    expect(memory.recent).toEqual(['b', 'd', 'c']);
    expect(withPinToggled(memory, 'y').pinned).toEqual(['x', 'y']);
    expect(withPinToggled(memory, 'x').pinned).toEqual([]);
  });
});
