import { expect, it } from 'vitest';
import { normalizeUserCode } from './device.ts';

it.each(['WVAJ7E77', 'wvaj7e77', 'WVAJ-7E77', ' wvaj 7e77 '])(
  'reads the code a terminal shows however it is typed: %j',
  (typed) => {
    expect(normalizeUserCode(typed)).toBe('WVAJ7E77');
  },
);
