import { expect, it } from 'vitest';
import { isStorableJson } from './storable-json.ts';

it.each([[null], [1], ['text'], ['\\u0000 as letters'], ['\u{1f600}'], [{ a: [{ b: 'c' }] }]])(
  '%j can be stored',
  (value) => expect(isStorableJson(value)).toBe(true),
);

it.each([['\0'], ['\ud800'], [{ a: ['\0'] }], [{ '\0': 1 }]])('%j cannot', (value) =>
  expect(isStorableJson(value)).toBe(false),
);
