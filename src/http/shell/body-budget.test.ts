import { expect, it } from 'vitest';
import { BODY_BUDGET, createBodyBudget } from './body-budget.ts';

const MIB = 1024 * 1024;
const codeOf = (work: () => unknown): unknown => {
  try {
    work();
    return 'taken';
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
};

it('one person may hold a limited number of bytes; others have their own allowance', () => {
  const budget = createBodyBudget();
  const held = Array.from({ length: 4 }, () => budget.take('a', 32 * MIB));
  expect(codeOf(() => budget.take('a', 32 * MIB))).toBe('rate_limited');
  expect(codeOf(() => budget.take('b', 32 * MIB))).toBe('taken');
  held[0]?.();
  expect(codeOf(() => budget.take('a', 32 * MIB))).toBe('taken');
});

it('and the number per minute', () => {
  let now = 0;
  const budget = createBodyBudget(() => new Date(now));
  for (let taken = 0; taken + 32 * MIB <= BODY_BUDGET.personPerMinuteBytes; taken += 32 * MIB)
    budget.take('a', 32 * MIB)();
  expect(codeOf(() => budget.take('a', 32 * MIB))).toBe('rate_limited');
  now = 60_000;
  expect(codeOf(() => budget.take('a', 32 * MIB))).toBe('taken');
});

it('all people together stay within the budget of the process', () => {
  const budget = createBodyBudget();
  const outcomes = Array.from({ length: 20 }, (_, at) => codeOf(() => budget.take(`person-${at}`, 32 * MIB)));
  expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(BODY_BUDGET.allAtOnceBytes / (32 * MIB));
});
