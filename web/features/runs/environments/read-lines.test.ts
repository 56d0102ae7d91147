import { expect, it } from 'vitest';
import { linesOf, readAssignments, writeAssignments } from './read-lines.ts';

it('reads a thing per line, and says which line is none', () => {
  expect(linesOf(' a.example.com\n\nb.example.com ')).toEqual(['a.example.com', 'b.example.com']);
  const values = { STAGE: 'test', URL: 'https://a/?b=c', EMPTY: '', SPACED: ' x' };
  expect(readAssignments(writeAssignments(values))).toEqual({ values });
  expect(readAssignments('export A=1\n\n')).toEqual({ values: { A: '1' } });
  expect(readAssignments('A=1\n  not this')).toEqual({ wrong: 'not this' });
  expect(readAssignments('1A=x')).toEqual({ wrong: '1A=x' });
});
