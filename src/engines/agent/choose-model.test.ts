import { expect, it } from 'vitest';
import { loadModels } from '../../catalog/load-models.ts';
import { chooseRunModel } from './choose-model.ts';

const catalog = loadModels(undefined);

it('uses the automatic model when none is named', () => {
  expect(chooseRunModel(catalog, undefined)).toEqual({
    name: 'service/auto',
    upstream: expect.stringMatching(/^gpt-/),
  });
});

it('uses the named model, under any of its names in the catalogue', () => {
  expect(chooseRunModel(catalog, 'openai/gpt-5.4')).toEqual({ name: 'openai/gpt-5.4', upstream: 'gpt-5.4' });
  expect(chooseRunModel(catalog, 'gpt-5.4').name).toBe('openai/gpt-5.4');
});

it('uses the first model that the provider serves when the catalogue has no automatic one', () => {
  const models = catalog.models.filter(({ id }) => id === 'anthropic/claude-sonnet-5' || id === 'openai/gpt-5');
  expect(chooseRunModel({ ...catalog, models }, undefined).name).toBe('openai/gpt-5');
});

it('refuses a model that the provider does not serve', () => {
  expect(() => chooseRunModel(catalog, 'anthropic/claude-sonnet-5')).toThrow('model_not_supported_for_runs');
  expect(() => chooseRunModel({ ...catalog, models: [] }, undefined)).toThrow('model_not_supported_for_runs');
});
