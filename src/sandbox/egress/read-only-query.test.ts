import { describe, expect, it } from 'vitest';
import { readOnlyQuery } from './read-only-query.ts';

const said = (query: unknown, more: object = {}): string => JSON.stringify({ query, ...more });

describe('a GraphQL request', () => {
  it.each([
    ['{ viewer { login } }'], ['query { viewer { login } }'], ['query Q($a: String = "mutation") { a(x: $a) }'], ['fragment f on X { id }\nquery { ...f }'], ['query { a } # mutation'],
    ['query { a(text: """ mutation { x } """) }'], ['query { a(text: "say \\" mutation") }'], ['query($mutation: Int) { a(m: $mutation) }'],
  ])('only reads: %s', (query) => expect(readOnlyQuery(said(query, { variables: { a: 'mutation' } }))).toBe(said(query, { variables: { a: 'mutation' } })));

  it.each([
    ['mutation { x }'], ['  mutation M($a: Int) { x }'], ['query { a }\nmutation { x }'], ['query { a }mutation{ x }'], ['subscription { s }'], ['# comment\nmutation { x }'], ['query { a(t: "#") } mutation { x }'],
    ['query { a(t: "\\\\") } mutation { x }'], ['query { a(t: """a\\"""b""") } mutation { x }'], ['query { mutation }'], [''], [7],
  ])('may write: %s', (query) => expect(readOnlyQuery(said(query))).toBeUndefined());

  it.each(['', 'no json', '[]', '[{"query":"{a}"}]', 'null', '{}', '{"extensions":{"persistedQuery":{}}}'])('cannot be judged: %s', (body) => expect(readOnlyQuery(body)).toBeUndefined());

  it('is passed on as it was understood, when a name stands in it twice', () => expect(readOnlyQuery('{"query":"mutation { x }","query":"{ a }"}')).toBe('{"query":"{ a }"}'));
});
