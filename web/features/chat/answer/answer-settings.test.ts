import { describe, expect, it } from 'vitest';
import type { ListedModel } from '../../../../src/contract/models.ts';
import { fitSettings, takesSettings, takesTemperature } from './answer-settings.ts';

const model = (some: Partial<ListedModel['capabilities']>): ListedModel['capabilities'] => ({
  images: true,
  pdf: true,
  tools: true,
  efforts: [],
  temperature: false,
  ...some,
});
const PLAIN = model({ temperature: true, temperatures: { max: 2, when: 'always' } });
const REASONS = model({ efforts: ['low', 'high'], defaultEffort: 'low' });
const EITHER = model({
  efforts: ['none', 'low', 'high'],
  defaultEffort: 'none',
  temperatures: { max: 1, when: 'unless-reasoning' },
});

describe('what is sent with a message', () => {
  it('is what the chosen model takes', () => {
    expect(fitSettings(PLAIN, { effort: 'high', temperature: 0.2 })).toEqual({ temperature: 0.2 });
    expect(fitSettings(REASONS, { effort: 'high', temperature: 0.2 })).toEqual({ effort: 'high' });
    expect(fitSettings(REASONS, { effort: 'max' })).toEqual({});
    expect(fitSettings(model({}), { effort: 'high', temperature: 1 })).toEqual({});
  });

  it('has a temperature only while the model does not reason, if it takes one only then', () => {
    expect(fitSettings(EITHER, { temperature: 0.5 })).toEqual({ temperature: 0.5 });
    expect(fitSettings(EITHER, { effort: 'none', temperature: 0.5 })).toEqual({ effort: 'none', temperature: 0.5 });
    expect(fitSettings(EITHER, { effort: 'high', temperature: 0.5 })).toEqual({ effort: 'high' });
    expect(takesTemperature({ ...EITHER, defaultEffort: 'low' }, undefined)).toBe(false);
  });

  it('stays within the range of the model', () => {
    expect(fitSettings(EITHER, { temperature: 1.8 })).toEqual({ temperature: 1 });
  });
});

it('a model that takes nothing has nothing to set', () => {
  expect([PLAIN, REASONS, EITHER, model({})].map(takesSettings)).toEqual([true, true, true, false]);
});
