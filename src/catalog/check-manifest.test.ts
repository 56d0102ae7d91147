import { describe, expect, it } from 'vitest';
import { checkManifest, describeRule, FILE_RULES, type RuleName } from './check-manifest.ts';
import { isObject, type Loose } from './loose-json.ts';

const text = (extra: Loose = {}): Loose => ({ type: 'string', description: 'Some text.', maxLength: 10, ...extra });

const TEXTS = { purpose: 'Look up things.', reads: 'all things of the account', words: ['things'] };

function manifest(extra: Loose = {}): Loose {
  return {
    id: 'acme',
    name: 'Acme',
    category: 'code',
    ...TEXTS,
    german: TEXTS,
    auth: { mode: 'OAUTH2', provider: 'acme' },
    ...extra,
  };
}

function withTool(extra: Loose = {}): Loose {
  return manifest({
    tools: [
      {
        name: 'get-thing',
        description: 'Returns one thing by its owner and id.',
        access: 'read',
        method: 'GET',
        path: '/{owner}/things/{id}',
        pathParameters: ['owner', 'id'],
        inputSchema: schema(),
        ...extra,
      },
    ],
  });
}

function schema(properties: Loose = {}, extra: Loose = {}): Loose {
  return {
    type: 'object',
    properties: { owner: text({ minLength: 1 }), id: text({ minLength: 1 }), ...properties },
    required: ['owner', 'id'],
    additionalProperties: false,
    ...extra,
  };
}

// At least one broken manifest for each rule; a rule without a row does not compile.
const BROKEN = {
  'manifest-keys': [manifest({ surface: 'typed-proxy' }), { id: 'acme' }],
  id: [manifest({ id: 'Acme' }), manifest({ id: 'acme--two' }), manifest({ id: 'acme__two' }), manifest({ id: 7 })],
  'file-name': [manifest({ id: 'other' })],
  name: [manifest({ name: '' }), manifest({ name: 'x'.repeat(61) })],
  category: [manifest({ category: 'misc' }), manifest({ category: undefined })],
  texts: [
    manifest({ purpose: 'no sentence' }),
    manifest({ reads: 'Two. Sentences.' }),
    manifest({ german: 'x' }),
    manifest({ german: { ...TEXTS, name: 'Acme' } }),
    manifest({ german: { ...TEXTS, reads: '' } }),
    manifest({ words: [] }),
    manifest({ german: { ...TEXTS, words: [' '] } }),
  ],
  popular: [manifest({ popular: 3 })],
  logo: [manifest({ logo: 'Acme.svg' })],
  personal: [manifest({ personal: 'yes' })],
  auth: [
    manifest({ auth: 'OAUTH2' }),
    manifest({ auth: { mode: 'toString', provider: 'acme' } }),
    manifest({ auth: { mode: 'OAUTH2' } }),
    manifest({ auth: { mode: 'OAUTH2', provider: 'a', key: 'x' } }),
  ],
  'code-host': [manifest({ codeHost: false })],
  command: [
    manifest({ command: 'aws' }),
    manifest({ command: { cli: 'rm -rf' } }),
    manifest({ command: { cli: 'aws', args: [] } }),
  ],
  mcp: [
    manifest({ mcp: { url: 'http://mcp.example.com' } }),
    manifest({ mcp: { url: 'https://user:pass@mcp.example.com' } }),
    manifest({ mcp: 'https://mcp.example.com' }),
  ],
  resource: [
    manifest({ resource: { kind: 'atlassian', product: 'trello' } }),
    manifest({ resource: { kind: 'other', product: 'jira' } }),
  ],
  read: [
    manifest({ read: { examples: [] } }),
    manifest({ read: { examples: ['//x'] } }),
    manifest({ read: { examples: ['/x?y=1'] } }),
    manifest({ read: { examples: ['/x'], note: '' } }),
  ],
  'one-surface': [
    manifest({ mcp: { url: 'https://mcp.example.com' }, command: { cli: 'acme' } }),
    { ...withTool(), mcp: { url: 'https://mcp.example.com' } },
    { ...withTool(), read: { examples: ['/x'] } },
  ],
  tools: [
    manifest({ tools: [] }),
    manifest({ tools: ['x'] }),
    manifest({ tools: [...toolsOf(withTool()), ...toolsOf(withTool())] }),
  ],
  'closed-schema': [
    withTool({ inputSchema: schema({}, { additionalProperties: true }) }),
    withTool({ inputSchema: schema({}, { additionalProperties: undefined }) }),
  ],
  'get-is-read': [withTool({ access: 'write' })],
  'path-parameters': [
    withTool({ pathParameters: ['id', 'owner'] }),
    withTool({ pathParameters: ['owner'] }),
    withTool({ pathParameters: ['owner', 'id', 'more'] }),
    withTool({ pathParameters: undefined }),
    withTool({ path: '/{owner}/things/{id' }),
    withTool({ path: '/{owner}/{owner}', pathParameters: ['owner', 'owner'] }),
    withTool({ inputSchema: schema({}, { required: ['owner'] }) }),
    withTool({ inputSchema: schema({ id: { type: 'integer', description: 'Id.', minimum: 1, maximum: 9 } }) }),
    withTool({ inputSchema: schema({ id: text() }) }),
  ],
  'base-url': [
    withTool({ baseUrl: 'http://api.example.com' }),
    withTool({ baseUrl: 'https://api.example.com/' }),
    withTool({ baseUrl: 'https://api.example.com/v1' }),
    withTool({ baseUrl: 'https://api.example.com?x=1' }),
    withTool({ baseUrl: 'https://api.example.com#x' }),
    withTool({ baseUrl: 'https://me@api.example.com' }),
    withTool({ baseUrl: 'api.example.com' }),
  ],
  'tool-keys': [withTool({ headers: {} }), withTool({ surface: 'x' })],
  'tool-name': [withTool({ name: 'getThing' }), withTool({ name: '2-things' }), withTool({ name: 'x'.repeat(59) })],
  'tool-description': [withTool({ description: 'Short.' }), withTool({ description: 'x'.repeat(401) })],
  access: [withTool({ access: 'admin' })],
  method: [withTool({ method: 'get' }), withTool({ method: 'OPTIONS' })],
  path: [
    'things',
    '//{owner}/{id}',
    '/{owner}/../{id}',
    '/{owner}/{id}?x=1',
    '/{owner}/{id}#x',
    '/{owner}/${apiKey}/{id}',
    '/{owner}/{id}||/x',
    '/{owner}%2f{id}',
  ].map((path) => withTool({ path })),
  'input-schema': [
    ...[
      { type: 'string', description: 'No bound.' },
      { type: 'string', maxLength: 10 },
      text({ default: 'x' }),
      text({ format: 'date' }),
      text({ pattern: '(' }),
      text({ minLength: 11 }),
      text({ examples: ['more than ten characters'] }),
      text({ enum: [] }),
      { type: 'integer', description: 'No bound.' },
      { type: 'integer', description: 'Bounds crossed.', minimum: 2, maximum: 1 },
      { type: 'array', description: 'No bound.', items: text() },
      { type: 'array', description: 'No items.', maxItems: 3 },
      { type: 'object', description: 'Open.', properties: {}, additionalProperties: true },
      { type: 'object', description: 'Unbounded map.', additionalProperties: text() },
      { type: ['string', 'null'], description: 'Union.' },
      { anyOf: [text()], description: 'No type.' },
      'text',
    ].map((extra) => withTool({ inputSchema: schema({ extra }) })),
    withTool({ inputSchema: schema({}, { required: ['owner', 'id', 'ghost'] }) }),
    withTool({ inputSchema: schema({}, { required: ['owner', 'id', 'id'] }) }),
    withTool({ inputSchema: schema({}, { $defs: {} }) }),
    withTool({ inputSchema: { type: 'array' } }),
  ],
} satisfies Record<Exclude<RuleName, keyof typeof FILE_RULES>, readonly Loose[]>;

describe('the load rules', () => {
  it('accept valid manifests', () => {
    const post = { method: 'POST', access: 'write', baseUrl: 'https://api.example.com' };
    const nested = {
      type: 'object',
      description: 'Closed.',
      properties: { labels: { type: 'array', description: 'Labels.', items: text(), maxItems: 5 } },
      additionalProperties: false,
    };
    const map = { type: 'object', description: 'Free-form map.', maxProperties: 5, additionalProperties: text() };
    for (const sound of [
      manifest(),
      withTool(),
      { ...withTool(post), command: { cli: 'acme' } },
      withTool({
        inputSchema: schema({ nested, map, kind: { type: 'string', description: 'Kind.', enum: ['a', 'b'] } }),
      }),
      manifest({ mcp: { url: 'https://mcp.example.com/mcp' } }),
      manifest({
        resource: { kind: 'atlassian', product: 'jira' },
        read: { examples: ['/rest/{id}'], note: 'A note.' },
      }),
    ]) {
      expect(checkManifest('acme.json', sound)).toEqual([]);
    }
  });

  for (const [rule, broken] of Object.entries(BROKEN)) {
    it.each(broken.map((subject, at) => ({ subject, at })))(
      `name the file and the rule ${rule} ($at)`,
      ({ subject }) => {
        const faults = checkManifest('acme.json', subject).filter((fault) => fault.rule === rule);
        expect(faults.length).toBeGreaterThan(0);
        expect(faults.every(({ file, message }) => file === 'acme.json' && message.length > 0)).toBe(true);
      },
    );
  }

  it('report every fault of a manifest, not the first', () => {
    const faults = checkManifest('acme.json', {
      ...withTool({
        access: 'write',
        pathParameters: [],
        baseUrl: 'http://x',
        inputSchema: schema({}, { additionalProperties: true }),
      }),
      category: 'misc',
    });
    expect(new Set(faults.map(({ rule }) => rule))).toEqual(
      new Set(['category', 'closed-schema', 'get-is-read', 'path-parameters', 'base-url', 'input-schema']),
    );
    expect(faults.find(({ rule }) => rule === 'get-is-read')?.message).toContain('get-thing');
  });

  it('each have a sentence', () => {
    for (const rule of [...Object.keys(BROKEN), ...Object.keys(FILE_RULES)])
      expect(describeRule(rule as RuleName)).not.toBe(rule);
  });
});

function toolsOf({ tools }: Loose): Loose[] {
  return Array.isArray(tools) ? tools.filter(isObject) : [];
}
