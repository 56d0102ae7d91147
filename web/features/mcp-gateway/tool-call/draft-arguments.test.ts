import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readArguments, toArguments, toDraft } from './draft-arguments.ts';
import { readSchema } from './read-schema.ts';

const schema = {
  type: 'object',
  properties: {
    title: { type: 'string', maxLength: 256, description: 'Title.', examples: ['Fix it'] },
    body: { type: 'string', maxLength: 65_536 },
    state: { type: 'string', enum: ['open', 'closed'] },
    page: { type: 'integer' },
    share: { type: 'number' },
    draft: { type: 'boolean' },
    labels: { type: 'array', items: { type: 'string' } },
    ids: { type: 'array', items: { type: 'integer' } },
    data: { type: 'object', properties: { name: { type: 'string' }, notes: { type: 'string' } }, required: ['name'] },
    query: { type: 'object', additionalProperties: { type: 'string' } },
    odd: { anyOf: [{ type: 'string' }, { type: 'number' }] },
  },
  required: ['title'],
};
const fields = readSchema(schema);
const kinds = Object.fromEntries(fields.map((field) => [field.name, field.kind]));

describe('a form from a schema', () => {
  it('has a fitting field for each argument', () => {
    expect(kinds).toEqual({
      title: 'text',
      body: 'text',
      state: 'choice',
      page: 'number',
      share: 'number',
      draft: 'flag',
      labels: 'list',
      ids: 'list',
      data: 'group',
      query: 'json',
      odd: 'json',
    });
    expect(fields[0]).toMatchObject({ required: true, long: false, description: 'Title.', example: 'Fix it' });
    expect(fields[1]).toMatchObject({ required: false, long: true });
    expect(readSchema(undefined)).toEqual([]);
    expect(readSchema({ type: 'object' })).toEqual([]);
  });

  it('stands for exactly what was filled in', () => {
    const { value, faults } = toArguments(fields, {
      title: 'T',
      body: '  ',
      state: '"open"',
      page: ' 2 ',
      share: '0.5',
      draft: 'false',
      labels: 'a\n\n b ',
      ids: '1\n2',
      'data/name': 'N',
      query: '{"a":1}',
      odd: '7',
    });
    expect(faults).toEqual({});
    expect(value).toEqual({
      title: 'T',
      state: 'open',
      page: 2,
      share: 0.5,
      draft: false,
      labels: ['a', 'b'],
      ids: [1, 2],
      data: { name: 'N' },
      query: { a: 1 },
      odd: 7,
    });
  });

  it('reports each missing or invalid field, but not those of an untouched group', () => {
    expect(toArguments(fields, { page: '1.5', share: 'x', ids: '1\ntwo', query: '{' }).faults).toEqual({
      title: 'This is required.',
      page: 'Enter a whole number.',
      share: 'Enter a number.',
      ids: 'Enter a number.',
      query: 'This is not valid JSON.',
    });
    expect(toArguments(fields, { title: 'T', 'data/notes': 'n' }).faults).toEqual({ 'data/name': 'This is required.' });
    expect(toArguments(readSchema({ ...schema, required: ['data'] }), {}).faults).toEqual({
      'data/name': 'This is required.',
    });
  });

  it('converts to JSON and back without loss', () => {
    const filled = fc.record(
      {
        title: fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''),
        state: fc.constantFrom('open', 'closed'),
        page: fc.integer(),
        share: fc.double({ noNaN: true, noDefaultInfinity: true }),
        draft: fc.boolean(),
        labels: fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1 }),
        ids: fc.array(fc.integer(), { minLength: 1 }),
        data: fc.record({ name: fc.stringMatching(/^[a-z]{1,8}$/) }),
        query: fc.dictionary(fc.string(), fc.integer()),
        odd: fc.jsonValue(),
      },
      { requiredKeys: ['title'] },
    );
    fc.assert(
      fc.property(filled, (value) => {
        const draft = toDraft(fields, value);
        expect(toArguments(fields, draft ?? {})).toEqual({
          value: JSON.parse(JSON.stringify(value)) as unknown,
          faults: {},
        });
      }),
    );
  });

  it('does not show arguments without a field', () => {
    for (const value of [
      { unknown: 1 },
      { title: 7 },
      { data: { other: 'x' } },
      { state: 'gone' },
      { labels: ['a\nb'] },
      { data: 'text' },
    ])
      expect(toDraft(fields, value), JSON.stringify(value)).toBeUndefined();
  });

  it('takes a JSON object and nothing else as arguments', () => {
    expect(readArguments('{"a":[1]}')).toEqual({ a: [1] });
    expect(readArguments('  ')).toEqual({});
    for (const text of ['[]', 'null', '1', '{', '"a"']) expect(readArguments(text), text).toBeUndefined();
  });

  it('shows every static tool of the catalogue without falling back to JSON, except for the free query', () => {
    const kindsOf = new Set<string>();
    for (const file of readdirSync('connectors')) {
      const { tools = [] } = JSON.parse(readFileSync(`connectors/${file}`, 'utf8')) as {
        tools?: { inputSchema: unknown }[];
      };
      for (const { inputSchema } of tools) for (const field of readSchema(inputSchema)) kindsOf.add(field.kind);
    }
    expect([...kindsOf].sort()).toEqual(['choice', 'flag', 'group', 'list', 'number', 'text']);
  });
});
