import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { fillObject } from './fill-schema.ts';

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'kind', 'count', 'tags', 'nested', 'maybe', 'sure', 'fixed'],
  properties: {
    name: { type: 'string', maxLength: 12 },
    kind: { type: 'string', enum: ['red', 'green'] },
    count: { type: 'integer', minimum: 2, maximum: 9 },
    tags: { type: 'array', minItems: 1, items: { type: 'string' } },
    nested: { type: 'object', required: ['value'], properties: { value: { type: ['null', 'number'] } } },
    maybe: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
    sure: { type: 'boolean' },
    fixed: { const: 'this' },
    optional: { type: 'string' },
  },
};

test.each(['', 'A green one, 40 times', 'name it "Ada Lovelace of London"'])(
  'what is filled in from %j fits the schema',
  (said) => {
    const validate = new Ajv({ strict: false }).compile(SCHEMA);
    const value = fillObject(SCHEMA, said);
    expect(validate(value), JSON.stringify(validate.errors)).toBe(true);
  },
);

test('it takes what was said: a quoted text, a number, a choice', () => {
  expect(fillObject(SCHEMA, 'a green "box" with 5')).toMatchObject({ name: 'box', kind: 'green', count: 5 });
});

test('a schema that contains itself comes to an end', () => {
  const tree: Record<string, unknown> = { type: 'object', required: ['child'] };
  tree.properties = { child: tree };
  expect(JSON.stringify(fillObject(tree, 'x')).length).toBeLessThan(200);
});
