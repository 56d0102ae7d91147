import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { arrayLiteral } from './array-literal.ts';

let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client(inject('postgresUrl'));
  await client.connect();
});
afterAll(() => client.end());

const AWKWARD = [
  '',
  ' ',
  'null',
  'NULL',
  'nUlL',
  '{}',
  '{',
  'a,b',
  '"',
  '\\',
  '\\"',
  'a b',
  '\n',
  'org_01-x.y:z/w',
  'ünïcode',
  '😀',
];

it('is read by the server as it was written', async () => {
  // Only a zero character has no place in a text of PostgreSQL.
  const text = fc.oneof(
    fc.constantFrom(...AWKWARD),
    fc.string({ unit: 'grapheme' }).map((value) => value.replaceAll('\0', '')),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(text)), async (values) => {
      const { rows } = await client.query<{ read: unknown }>('select $1::text[] as read', [arrayLiteral(values)]);
      expect(rows[0]?.read).toEqual(values);
    }),
    { numRuns: 300 },
  );
});

it('holds numbers', async () => {
  const values = [0, -1, 2 ** 53 - 1, null, 1.5];
  const { rows } = await client.query<{ read: unknown }>('select $1::float8[] as read', [arrayLiteral(values)]);
  expect(rows[0]?.read).toEqual(values);
});

it('leaves everything else to the driver', () => {
  for (const value of [undefined, true, {}, [], new Date(), Buffer.from('x')])
    expect(arrayLiteral(['a', value])).toBeUndefined();
});
