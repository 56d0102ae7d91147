import { expect, it } from 'vitest';
import { CAP_WARNING_SHARE } from '../../../src/contract/spend.ts';
import { stateOf, WARNING_SHARE } from './cap-state.ts';

it('warns at 80 and at 100 per cent, as the server counts them', () => {
  expect(WARNING_SHARE).toBe(CAP_WARNING_SHARE);
  expect([stateOf(10, 2.01), stateOf(10, 2), stateOf(10, 0), stateOf(0, 0)].map(({ level }) => level)).toEqual([
    'open',
    'near',
    'reached',
    'reached',
  ]);
});
