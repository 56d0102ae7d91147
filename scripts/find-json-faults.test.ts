import { expect, it } from 'vitest';
import { findJsonFaults } from './find-json-faults.ts';

const BOUNDS = [{ path: 'src/turns/small', mostBytes: 1, why: 'it is' }];
const listed = { path: 'src/turns/small/a.ts', text: 'JSON.parse(text)' };
const faultsOf = (path: string, text: string): string[] => findJsonFaults([listed, { path, text }], BOUNDS);

it.each(['JSON.parse(text)', 'list.map(JSON.stringify)', 'structuredClone(body)'])('%s needs a bound', (text) => {
  expect(faultsOf('src/turns/new.ts', text)).toEqual([
    expect.stringContaining('src/turns/new.ts: reads or writes JSON'),
  ]);
  expect(faultsOf('src/turns/small/new.ts', text)).toEqual([]);
  expect(faultsOf('src/turns/smaller.ts', text)).toHaveLength(1);
});

it('a comment that mentions it does not', () => {
  expect(faultsOf('src/turns/new.ts', '// JSON.parse would do\nparse(text);')).toEqual([]);
});

it('a row that nothing uses is a fault', () => {
  expect(findJsonFaults([], BOUNDS)).toEqual(['scripts/json-bounds.ts: src/turns/small reads and writes no JSON']);
});
