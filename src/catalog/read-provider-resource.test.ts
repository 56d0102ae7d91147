import { expect, it } from 'vitest';
import { z } from 'zod';
import { readProviderResource } from './read-provider-resource.ts';

const tool = readProviderResource({
  name: 'Acme',
  read: { examples: ['/v1/things', '/v1/things/{id}'], note: 'Page with cursor.' },
});
const input = z.fromJSONSchema(structuredClone(tool.inputSchema) as Parameters<typeof z.fromJSONSchema>[0]);
const accepts = (value: unknown): boolean => input.safeParse(value).success;
const manyKeys = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));

it('takes a path that begins with a single slash, at most 4096 characters', () => {
  expect(accepts({ path: '/' })).toBe(true);
  expect(accepts({ path: '/v1/things' })).toBe(true);
  expect(accepts({ path: `/${'x'.repeat(4095)}` })).toBe(true);
  expect(accepts({ path: `/${'x'.repeat(4096)}` })).toBe(false);
  expect(['', 'v1', '//v1', 'https://x', 7, null].filter((path) => accepts({ path }))).toEqual([]);
  expect(accepts({})).toBe(false);
});

it('takes scalars and lists of scalars as query, within the limits', () => {
  const query = (value: unknown): boolean => accepts({ path: '/', query: value });
  expect(query({ text: 'x'.repeat(8192), number: 1.5, flag: false, list: ['a', 1, true], empty: [] })).toBe(true);
  expect(query({ text: 'x'.repeat(8193) })).toBe(false);
  expect(query({ list: ['x'.repeat(8193)] })).toBe(false);
  expect(query({ list: Array.from({ length: 100 }, () => 1) })).toBe(true);
  expect(query({ list: Array.from({ length: 101 }, () => 1) })).toBe(false);
  expect(query(manyKeys(100))).toBe(true);
  expect(query(manyKeys(101))).toBe(false);
  expect([{ x: null }, { x: [null] }, { x: {} }, { x: [[1]] }, [], 'a=b', null].filter(query)).toEqual([]);
});

it('refuses anything else', () => {
  expect(['headers', 'method', 'body', 'baseUrl'].filter((extra) => accepts({ path: '/', [extra]: 'x' }))).toEqual([]);
});

it('describes the provider, example paths and the note to the model', () => {
  expect(tool.description).toBe(
    'Reads one resource of the Acme API with GET, such as /v1/things, /v1/things/{id}. Page with cursor.',
  );
  expect(readProviderResource({ name: 'Acme' }).description).toBe('Reads one resource of the Acme API with GET.');
});
