import { expect, it } from 'vitest';
import { loadModels } from '../../catalog/load-models.ts';
import { chooseRunModel } from './choose-model.ts';

const catalog = loadModels(undefined);

it('takes the general model when none is named, at provider A', () => {
  expect(chooseRunModel(catalog, undefined)).toEqual({
    name: 'service/auto',
    upstream: expect.stringMatching(/^gpt-/),
  });
});

it('takes the named one, under any name that the catalogue knows it by', () => {
  expect(chooseRunModel(catalog, 'openai/gpt-5.4')).toEqual({ name: 'openai/gpt-5.4', upstream: 'gpt-5.4' });
  expect(chooseRunModel(catalog, 'gpt-5.4').name).toBe('openai/gpt-5.4');
});

it('takes the first that provider A serves where the catalogue has no general one', () => {
  const models = catalog.models.filter(({ id }) => id === 'anthropic/claude-sonnet-5' || id === 'openai/gpt-5');
  expect(chooseRunModel({ ...catalog, models }, undefined).name).toBe('openai/gpt-5');
});

it('refuses a model that provider A does not serve', () => {
  expect(() => chooseRunModel(catalog, 'anthropic/claude-sonnet-5')).toThrow('model_not_supported_for_runs');
  expect(() => chooseRunModel({ ...catalog, models: [] }, undefined)).toThrow('model_not_supported_for_runs');
});
