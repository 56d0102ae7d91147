import { expect, it } from 'vitest';
import { SCOPES as CONTRACT } from '../../src/contract/tokens.ts';
import { SPEND_BY } from '../../src/contract/spend.ts';
import { SCOPES } from './tokens.ts';
import { BY } from './usage.ts';

it('offers every scope of the contract', () => {
  expect(SCOPES).toEqual(CONTRACT);
});

it('offers every way to divide spending', () => {
  expect(BY).toEqual(SPEND_BY);
});
