import fc from 'fast-check';
import { execute, GraphQLInt, GraphQLObjectType, GraphQLSchema, GraphQLString, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { readOnlyQuery } from './read-only-query.ts';

const said = (query: unknown, more: object = {}): string => JSON.stringify({ query, ...more });
const queryOf = (body: string | undefined): string => (JSON.parse(body ?? '{}') as { query: string }).query;

describe('a GraphQL request', () => {
  it.each([
    ['{ viewer { login } }'],
    ['query { viewer { login } }'],
    ['query Q($a: String = "mutation") { a(x: $a) }'],
    ['fragment f on X { id }\nquery { ...f }'],
    ['query { a } # mutation'],
    ['query { a(text: """ mutation { x } """) }'],
    ['query { a(text: "say \\" mutation") }'],
    ['query($mutation: Int) { a(m: $mutation) }'],
    ['query { mutation }'],
    ['\uFEFFquery { a }'],
    ['query A { a } query B { b }'],
    ['query { a(t: "\\u{1F600} \\uD83D\\uDE00") }'],
    ['#\rquery { a }'],
  ])('only reads: %s', (query) => expect(readOnlyQuery(said(query, { variables: { a: 'mutation' } }))).toBeDefined());

  it.each([
    ['mutation { x }'],
    ['  mutation M($a: Int) { x }'],
    ['query { a }\nmutation { x }'],
    ['query { a }mutation{ x }'],
    ['subscription { s }'],
    ['# comment\nmutation { x }'],
    ['query { a(t: "#") } mutation { x }'],
    ['query { a(t: "\\\\") } mutation { x }'],
    ['query { a(t: """a\\"""b""") } mutation { x }'],
    [''],
    [7],
    ['#\rmutation { x }'],
    ['query { a } #\r mutation { x }'],
    ['#\r\nmutation { x }'],
    ['\uFEFFmutation { x }'],
    ['\uFEFF#\rmutation { x }'],
    ['query { a(t: """\\"""#""") } mutation { x }'],
    ['fragment f on X { id }'],
    ['type T { a: Int }'],
    ['schema { query: Q }'],
    ['query { a } extend type T { b: Int }'],
    ['query { a(t: "\r") }'],
    ['query { a(t: "\\uD83D") }'],
    ['{a'.repeat(50_000)],
    ['query A { a } mutation B { b }'],
    ['query { \u2028 }'],
    ['query { a } \u0000 mutation { x }'],
  ])('may write, or cannot be read: %#', (query) => {
    expect(readOnlyQuery(said(query))).toBeUndefined();
    // Naming the operation that reads changes nothing: the one that is asked for is not ours to know.
    expect(readOnlyQuery(said(query, { operationName: 'A' }))).toBeUndefined();
  });

  it.each([
    ['nothing', ''],
    ['no JSON', 'no json'],
    ['application/graphql', 'query { a }'],
    ['a form', 'query=%7Ba%7D'],
    ['several', '[{"query":"{a}"}]'],
    ['none', '[]'],
    ['null', 'null'],
    ['no query', '{}'],
    ['a stored query', '{"extensions":{"persistedQuery":{}}}'],
    ['a query and a stored one', '{"query":"{a}","extensions":{"persistedQuery":{"version":1,"sha256Hash":"aa"}}}'],
    ['the id of a query', '{"query":"{a}","id":"7"}'],
    ['the name of a document', '{"query":"{a}","documentId":"7"}'],
    ['a byte order mark', '\uFEFF{"query":"{a}"}'],
    ['variables in text', '{"query":"{a}","variables":"{}"}'],
    ['a list of variables', '{"query":"{a}","variables":[]}'],
    ['a name that is no text', '{"query":"{a}","operationName":["M"]}'],
    ['compressed', '\u001f\u008b\u0008'],
    ['a field that objects have of old', '{"query":"{a}","__proto__":{"query":"mutation{x}"}}'],
  ])('cannot be judged: %s', (_what, body) => expect(readOnlyQuery(body)).toBeUndefined());

  it('is passed on as it was understood, when a name stands in it twice', () => {
    expect(queryOf(readOnlyQuery('{"query":"mutation { x }","query":"{ a }"}'))).toBe('{\n  a\n}');
    expect(readOnlyQuery('{"query":"{ a }","query":"mutation { x }"}')).toBeUndefined();
    expect(readOnlyQuery('{"query":"{ a }","qu\\u0065ry":"mutation { x }"}')).toBeUndefined();
  });

  it('is passed on without anything that another reader could take otherwise', () => {
    const passed = readOnlyQuery(
      said('\uFEFF#\rquery Q($n: Int) { a(text: """\n  block "quoted" \\""" # no comment\n""") b(n: $n) }', {
        variables: { n: 1 },
        operationName: 'Q',
      }),
    );
    expect(JSON.parse(passed ?? '')).toEqual({
      query: 'query Q($n: Int) {\n  a(text: "block \\"quoted\\" \\"\\"\\" # no comment")\n  b(n: $n)\n}',
      variables: { n: 1 },
      operationName: 'Q',
    });
  });
});

describe('against the reference implementation', () => {
  let written = 0;
  const text = {
    type: GraphQLString,
    args: { t: { type: GraphQLString }, n: { type: GraphQLInt } },
    resolve: (_: unknown, args: object) => JSON.stringify(args),
  };
  const schema = new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: { a: text, mutation: text, subscription: text } }),
    mutation: new GraphQLObjectType({
      name: 'Mutation',
      fields: { x: { type: GraphQLInt, resolve: () => ++written } },
    }),
  });

  /** What a server answers to each operation of a document, and how often that wrote. */
  function serve(query: string): { answers: unknown[]; wrote: number } | undefined {
    const before = written;
    try {
      const document = parse(query);
      const names = document.definitions.flatMap((definition) =>
        definition.kind === 'OperationDefinition' ? [definition.name?.value] : [],
      );
      return {
        answers: names.map((operationName) => execute({ schema, document, operationName: operationName ?? null })),
        wrote: written - before,
      };
    } catch {
      return undefined;
    }
  }

  const gap = fc.constantFrom(
    ' ',
    '\n',
    '\r',
    '\r\n',
    '\t',
    ',',
    '\uFEFF',
    ' # mutation\n',
    '#\r',
    '# """\r\n',
    ' #"\n',
    '',
    '#\u2028\n',
    '# \\\n',
  );
  const value = fc.constantFrom(
    '"mutation"',
    '"\\u006dutation"',
    '"\\u{6d}utation"',
    '"\\""',
    '"\\\\"',
    '"""mutation { x }"""',
    '"""\\""" } mutation { x } """',
    '"""\r # \n "" \\"""',
    '"#"',
    '"\uFEFF"',
    '""',
    '"\\u{1F600}"',
    '""""""',
    '"\r"',
    '"\\uD800"',
  );
  const field = fc
    .tuple(fc.constantFrom('a', 'mutation', 'subscription', 'mutation: a', 'x: a'), fc.option(value), gap)
    .map(([name, given, space]) => `${name}${space}${given === null ? '' : `(t:${space}${given})`}`);
  const body = fc
    .tuple(fc.array(field, { minLength: 1, maxLength: 3 }), gap)
    .map(([fields, space]) => `{${space}${fields.join(`${space} `)}${space}}`);
  const operation = fc
    .tuple(
      fc.constantFrom(
        'query',
        'query',
        'query',
        'mutation',
        'mut\u0061tion',
        'subscription',
        'fragment f on Query',
        'extend type Query',
        '\\u006dutation',
      ),
      gap,
      body,
      fc.nat({ max: 9 }),
    )
    .map(([word, space, rest, n]) =>
      word === 'mutation'
        ? `mutation${space} M${n}${space}{ x }`
        : word === 'query'
          ? `query${space} Q${n}${space}${rest}`
          : `${word}${space}${rest}`,
    );
  const anonymous = fc
    .tuple(fc.constantFrom('', 'query', 'mutation'), gap, body)
    .map(([word, space, rest]) => (word === 'mutation' ? `mutation${space}{ x }` : `${word}${space}${rest}`));
  const documents = fc
    .tuple(
      gap,
      fc.oneof(
        anonymous,
        fc.array(operation, { minLength: 1, maxLength: 3 }).map((all) => all.join('\n')),
      ),
      gap,
    )
    .map((parts) => parts.join(''));

  it('lets nothing through that a server would write for, and what it lets through is answered alike', () => {
    let [through, refused] = [0, 0];
    fc.assert(
      fc.property(documents, (document) => {
        const passed = readOnlyQuery(said(document));
        const served = serve(document);
        if (passed === undefined) {
          refused++;
          // What the reference reads as queries only is refused for no reason.
          if (served !== undefined && !/mutation|subscription|extend|fragment/.test(document))
            expect(served.answers).toEqual([]);
          return;
        }
        through++;
        expect(served?.wrote).toBe(0);
        expect(serve(queryOf(passed))).toEqual(served);
      }),
      { numRuns: 1_000 },
    );
    expect(through).toBeGreaterThan(50);
    expect(refused).toBeGreaterThan(50);
  });
});
