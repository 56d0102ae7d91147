import { expect, it } from 'vitest';
import { liftDefinitions } from './lift-definitions.ts';

const named = (type: string): object => ({
  $ref: '#/$defs/A',
  $defs: { A: { type, properties: { b: { $ref: '#/$defs/B' } } }, B: { type: 'number' } },
});

it('puts each schema that has a name in one place, and refers to it there', () => {
  expect(liftDefinitions({ one: named('object'), two: [{ items: named('object') }] })).toEqual({
    part: { one: { $ref: '#/components/schemas/A' }, two: [{ items: { $ref: '#/components/schemas/A' } }] },
    schemas: { A: { type: 'object', properties: { b: { $ref: '#/components/schemas/B' } } }, B: { type: 'number' } },
  });
});

it('refuses two schemas with the same name', () => {
  expect(() => liftDefinitions({ one: named('object'), two: named('array') })).toThrow('two schemas are called A');
});
