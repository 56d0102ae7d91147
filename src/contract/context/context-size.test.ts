import { expect, it } from 'vitest';
import { inputBudget, smallestContext, weighAttachment } from './context-size.ts';

it('leaves a model room to answer', () => {
  const model = { contextWindow: 100_000, maxOutputTokens: 64_000 };
  expect(inputBudget(model)).toBe((100_000 - 8_192) * 3);
  expect(inputBudget({ ...model, maxOutputTokens: 1_000 })).toBe(99_000 * 3);
  expect(inputBudget({ ...model, contextWindow: 1_000 })).toBe(15_000);
});

it('has room for the smallest of several models', () => {
  expect(
    smallestContext([
      { contextWindow: 200_000, maxOutputTokens: 64_000 },
      { contextWindow: 1_000_000, maxOutputTokens: 4_000 },
    ]),
  ).toEqual({ contextWindow: 200_000, maxOutputTokens: 4_000 });
});

it('weighs an attachment as the server reads it', () => {
  expect(weighAttachment({ type: 'image/png', size: 5_000_000 })).toBe(12_000);
  expect(weighAttachment({ type: 'application/pdf', size: 70_000 })).toBe(70_000);
  expect(weighAttachment({ type: 'text/plain', size: 900 })).toBe(900);
  expect(weighAttachment({ type: 'text/plain', size: 900_000 })).toBe(19_200);
});
