import { expect, it } from 'vitest';
import { loadConnectors } from '../catalog/load-connectors.ts';
import { isCapabilityKey } from './is-capability-key.ts';

const catalog = loadConnectors();

it.each([
  ['github', true],
  ['github.work', true],
  ['google-drive', true],
  ['nobody', false],
  ['nobody.github', false],
  ['constructor', false],
  ['__proto__.x', false],
])('%s: %s', (word, is) => {
  expect(isCapabilityKey(catalog, word)).toBe(is);
});
