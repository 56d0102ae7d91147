import { expect, it } from 'vitest';
import { nameArtifact } from './name-artifact.ts';

const one = (path: string): string => nameArtifact(path, new Set());

it('keeps a plain name and makes one segment of a path', () => {
  expect([one('report.txt'), one('a/b/c.txt')]).toEqual(['report.txt', 'a__b__c.txt']);
});

it('never gives two files the same name', () => {
  const taken = new Set<string>();
  const names = ['a/b', 'a__b', 'a__b'].map((path) => nameArtifact(path, taken));
  expect(new Set(names).size).toBeGreaterThanOrEqual(2);
  expect(names[0]).toBe('a__b');
  expect(names[1]).not.toBe('a__b');
});

it('is short and without what names may not hold', () => {
  expect(one('a\nb\\c\u0007')).toBe('a_b_c_');
  expect(one('..')).toBe('_');
  const long = one(`${'ä'.repeat(300)}.txt`);
  expect(Buffer.byteLength(long)).toBeLessThanOrEqual(255);
  expect(long).not.toBe(one(`${'ä'.repeat(301)}.txt`));
});
