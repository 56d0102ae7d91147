import { expect, it } from 'vitest';
import { restOf } from './watch-output.ts';

it('is what follows the characters that were seen', () => {
  expect(restOf('one\ntwo\n', 4)).toEqual({ text: 'two\n', missed: false });
  expect(restOf('one\ntwo\n', 8)).toEqual({ text: '', missed: false });
});

it('knows what is missing in the middle', () => {
  const recorded = 'head\n[… 100 characters cut …]\ntail';
  expect(restOf(recorded, 108)).toEqual({ text: '', missed: false });
  expect(restOf(recorded, 106)).toEqual({ text: 'il', missed: false });
  expect(restOf(recorded, 104)).toEqual({ text: 'tail', missed: false });
  expect(restOf(recorded, 50)).toEqual({ text: 'tail', missed: true });
});
