import { expect, test } from 'vitest';
import { DEMO_KEYS } from '../../../stand-ins/models/check-key.ts';
import { keyStrings } from './strings.ts';

test.each(Object.entries(DEMO_KEYS))(
  'the demo key that the %s card names is one that the demo provider takes',
  (provider, { accepts }) => {
    expect(accepts(keyStrings.demoKeys[provider] ?? '')).toBe(true);
  },
);
