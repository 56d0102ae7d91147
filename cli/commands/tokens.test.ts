import { expect, it } from 'vitest';
import { SCOPES as CONTRACT } from '../../src/contract/tokens.ts';
import { SCOPES } from './tokens.ts';

it('offers every scope of the contract', () => {
  expect(SCOPES).toEqual(CONTRACT);
});
