import { describe, expect, it } from 'vitest';
import { checkArguments } from './check-arguments.ts';
import { parseArguments, readArguments } from './read-arguments.ts';

const schema = {
  type: 'object',
  properties: {
    owner: { type: 'string' },
    page: { type: 'integer', minimum: 1 },
    draft: { type: 'boolean' },
    labels: { type: 'array', items: { type: 'string' } },
    query: { type: 'object' },
    either: { type: ['string', 'number'] },
  },
  required: ['owner'],
  additionalProperties: false,
};

describe('--arg', () => {
  it('takes its type from the schema', () => {
    expect(
      readArguments(['owner=1', 'page=2', 'draft=true', 'labels=a', 'labels=b', 'query={"a":[1]}', 'either=3'], schema),
    ).toEqual({ owner: '1', page: 2, draft: true, labels: ['a', 'b'], query: { a: [1] }, either: '3' });
    expect(readArguments(['labels=["a","b"]', 'owner=a=b'], schema)).toEqual({ labels: ['a', 'b'], owner: 'a=b' });
  });

  it('without a schema is text', () => expect(readArguments(['page=2'], undefined)).toEqual({ page: '2' }));

  it.each([['owner'], ['=x'], ['page=two'], ['draft=yes'], ['query=a']])('refuses %s', (pair) =>
    expect(() => readArguments([pair], schema)).toThrow(expect.objectContaining({ exit: 2 })),
  );

  it('refuses a repeated name', () =>
    expect(() => readArguments(['owner=a', 'owner=b'], schema)).toThrow('given twice'));
});

describe('--json', () => {
  it('takes an object', () => expect(parseArguments('{"a":1}')).toEqual({ a: 1 }));
  it.each(['[1]', 'github', 'null', ''])('refuses %s', (text) =>
    expect(() => parseArguments(text)).toThrow('JSON object'),
  );
});

describe('the schema', () => {
  it('is checked before anything is sent, with one line per argument', () => {
    expect(() => checkArguments('list-issues', schema, { owner: 'a', page: 1 })).not.toThrow();
    expect(() => checkArguments('list-issues', schema, { page: 0, other: 1 })).toThrow(
      expect.objectContaining({
        exit: 2,
        details: {
          'arguments.owner': 'is required',
          'arguments.other': 'is not a known argument',
          'arguments.page': 'must be >= 1',
        },
      }),
    );
  });
});
