import { expect, it } from 'vitest';
import { selectTools } from './select-tools.ts';

const names = [
  'github__list-issues',
  'github--work__list-issues',
  'github--w-0a1b2c3d__list-issues',
  'gitlab__read-provider-resource',
  'slack__post-message',
];

it('offers everything when nothing is named', () => {
  expect(selectTools(names, [])).toEqual(names);
});

it('offers the tools of the named connections only', () => {
  expect(selectTools(names, ['github'])).toEqual(['github__list-issues']);
  expect(selectTools(names, ['github.work'])).toEqual(['github--work__list-issues', 'github--w-0a1b2c3d__list-issues']);
  expect(selectTools(names, ['slack', 'gitlab'])).toEqual(['gitlab__read-provider-resource', 'slack__post-message']);
  expect(selectTools(names, ['aws'])).toEqual([]);
});

it('recognizes a shortened name, and no tool of another connection', () => {
  expect(selectTools(['github--a-very-long-na-0a1b2c3d__x'], ['github.a-very-long-name'])).toHaveLength(1);
  expect(selectTools(['github--my-work-0a1b2c3d__x'], ['github.my.work'])).toHaveLength(1);
  expect(selectTools(['github--a-very-long-na-0a1b2c3d__x'], ['github.other', 'github', 'git'])).toEqual([]);
});
