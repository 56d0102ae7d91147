import { expect, it } from 'vitest';
import { findLimitFaults } from './find-limit-faults.ts';

const rules = { codes: ['rate_limited'], makers: ['createLimit'], files: ['src/a.ts'], named: ['src/b.ts'] };
const a = { path: 'src/a.ts', text: "throw new AppError('rate_limited', {})" };
const b = { path: 'src/b.ts', text: '' };

it('finds a refusal and a counter in a file that no row names', () => {
  expect(findLimitFaults([a, b, { path: 'src/c.ts', text: "new AppError(\n  'rate_limited')" }], rules)).toEqual([
    'src/c.ts: rate_limited is a limit that no row of scripts/limits.ts names',
  ]);
  expect(findLimitFaults([a, b, { path: 'src/c.ts', text: 'const limit = createLimit({})' }], rules)).toEqual([
    'src/c.ts: createLimit is a limit that no row of scripts/limits.ts names',
  ]);
});

it('does not mind who offers a counter, other errors, and rows that are used', () => {
  const offers = { path: 'src/timing.ts', text: 'export function createLimit(max: number) {}' };
  expect(findLimitFaults([a, b, offers, { path: 'src/c.ts', text: "new AppError('not_found')" }], rules)).toEqual([]);
});

it('finds rows of files that are gone, or limit nothing', () => {
  expect(findLimitFaults([b], rules)).toEqual(['scripts/limits.ts: src/a.ts does not exist']);
  expect(findLimitFaults([{ path: 'src/a.ts', text: '' }, b], rules)).toEqual([
    'scripts/limits.ts: src/a.ts limits nothing',
  ]);
});
