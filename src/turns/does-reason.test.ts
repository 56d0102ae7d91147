import { expect, test } from 'vitest';
import type { ModelTraits } from '../catalog/model-traits.ts';
import type { Protocol } from '../model-providers/codecs/neutral.ts';
import type { Loose } from '../model-providers/codecs/read-fields.ts';
import { doesReason } from './does-reason.ts';

const PLAIN = { defaultEffort: 'none', thinkingOff: true } as const;
const BY_DEFAULT = { defaultEffort: 'medium', thinkingOff: true } as const;
const ALWAYS = { defaultEffort: 'none', thinkingOff: false } as const;

test.each<[Protocol, Loose, Pick<ModelTraits, 'defaultEffort' | 'thinkingOff'>, boolean]>([
  ['chat', {}, PLAIN, false],
  ['chat', { reasoning_effort: 'high' }, PLAIN, true],
  ['chat', {}, BY_DEFAULT, true],
  ['chat', { reasoning_effort: null }, BY_DEFAULT, true],
  ['chat', { reasoning_effort: 'none' }, BY_DEFAULT, false],
  ['responses', {}, PLAIN, false],
  ['responses', { reasoning: { effort: 'low' } }, PLAIN, true],
  ['responses', { reasoning: { summary: 'auto' } }, BY_DEFAULT, true],
  ['responses', { reasoning: { effort: 'none' } }, BY_DEFAULT, false],
  ['messages', {}, PLAIN, false],
  ['messages', { thinking: { type: 'enabled', budget_tokens: 2_000 } }, PLAIN, true],
  ['messages', { thinking: { type: 'adaptive' } }, PLAIN, true],
  ['messages', { thinking: { type: 'disabled' } }, PLAIN, false],
  ['messages', {}, ALWAYS, true],
])('on %s %j of a model with %j: %s', (protocol, body, traits, expected) => {
  expect(doesReason(protocol, body, traits)).toBe(expected);
});
