import { expect, it } from 'vitest';
import { describeCondition, parseCondition } from './condition-text.ts';

it.each(['a=1', 'a="1"', 'a.b=null', 'a=["x",2]', 'a?', 'a!', '@event="issues"'])(
  'the condition %s is written as it is read',
  (text) => {
    const condition = parseCondition(text);
    expect(condition && describeCondition(condition)).toBe(text);
  },
);

it('reads a word as a word', () => {
  expect(parseCondition(' action=opened ')).toEqual({ path: 'action', equals: 'opened' });
  expect(parseCondition('a=[not json')).toEqual({ path: 'a', equals: '[not json' });
  expect(parseCondition('a=')).toEqual({ path: 'a', equals: '' });
});

it.each(['', 'nothing', '=x', '?'])('%j is no condition', (text) => expect(parseCondition(text)).toBeUndefined());
