// One process serves every organization from one cache of lists. Whatever names, cursors and policies users choose, and
// in whatever order requests come, a caller sees the tools of their own workspace and can call exactly those.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadConnectors } from '../../catalog/load-connectors.ts';
import type { Connection } from '../../connections/connection-types.ts';
import { parseSelector } from '../../connections/normalize-name.ts';
import type { Scope } from '../../contract/tokens.ts';
import type { Membership } from '../../tenancy/members/membership.ts';
import type { ToolCaller } from '../../tools/call-tool.ts';
import { createSchemaChecks } from '../../tools/compile-schemas.ts';
import { createLoadingCache } from '../../timing/bounded-cache.ts';
import { nameTool } from '../../tools/name-tool.ts';
import type { ToolDeps } from '../../tools/tool-deps.ts';
import { quiet } from '../../../test/support/database.ts';
import { createAggregateTools, type AggregateTools } from './aggregate-tools.ts';

const catalog = loadConnectors();
const schemas = createSchemaChecks();
const PROVIDERS = ['github', 'pipedrive', 'bamboohr'];
const TOOLS = PROVIDERS.flatMap((id) => (catalog.byId[id]?.tools ?? []).map((tool) => ({ provider: id, tool })));

/** A workspace: its organization, id and connections. */
interface Place {
  readonly organizationId: string;
  readonly workspaceId: string;
  connections: Connection[];
}

interface Wanted {
  readonly provider: string;
  readonly name: string;
  readonly actions: Readonly<Record<string, boolean>>;
}

function connect(lookup: Omit<Place, 'connections'>, { provider, name, actions }: Wanted, at: number): Connection {
  return {
    id: `con_${lookup.workspaceId}${at}`,
    organizationId: lookup.organizationId,
    workspaceId: lookup.workspaceId,
    provider,
    name,
    kind: 'integration-reference',
    status: 'valid',
    reason: undefined,
    expiry: undefined,
    lastValidatedAt: undefined,
    createdAt: new Date(0),
    updatedAt: new Date(0),
    policy: { actions, repositories: { enforce: false, selected: [] }, push: 'off' },
    sealed: { ciphertext: Buffer.alloc(0), iv: Buffer.alloc(0), authTag: Buffer.alloc(0) },
  };
}

function depsOf(places: readonly Place[]): ToolDeps {
  const refuse = () => Promise.reject(new Error('not asked here'));
  const inPlace = ({ organizationId, workspaceId }: Pick<Place, 'organizationId' | 'workspaceId'>): Connection[] =>
    places.find((place) => place.organizationId === organizationId && place.workspaceId === workspaceId)?.connections ??
    [];
  return {
    catalog,
    schemas,
    timeoutMs: 1_000,
    connections: {
      list: async (place) => inPlace(place),
      async find(place, selector) {
        const { provider, name } = parseSelector(selector);
        return inPlace(place).find((connection) =>
          selector.startsWith('con_')
            ? connection.id === selector
            : connection.provider === provider && connection.name === name,
        );
      },
      readReference: () => ({ kind: 'integration-reference', integrationId: 'i', connectionId: 'c' }),
      restore: async () => {},
    },
    provider: {
      proxy: async () => ({ status: 200, headers: {}, body: Buffer.alloc(0) }),
      getConnection: refuse,
      openMcpServer: refuse,
    },
    receipts: { append: refuse },
    sites: createLoadingCache({ ttlMs: 1, most: 1, nowMs: () => 0 }),
    discovered: createLoadingCache({ ttlMs: 1, most: 1, nowMs: () => 0 }),
  };
}

function callerOf(
  { organizationId, workspaceId }: Pick<Place, 'organizationId' | 'workspaceId'>,
  scopes: readonly Scope[],
  isWorkspaceMember = true,
): ToolCaller {
  const membership: Membership = {
    userId: 'usr_1',
    organizationId,
    organizationSlug: 'o',
    organizationName: 'O',
    organizationRole: 'member',
    plan: 'free',
    workspaceId,
    workspaceSlug: 'w',
    workspaceName: 'W',
    workspaceKind: 'named',
    workspaceCreatedAt: new Date(0),
    workspaceRole: isWorkspaceMember ? 'member' : undefined,
    isWorkspaceMember,
  };
  return { userId: 'usr_1', scopes: new Set(scopes), membership };
}

const REFUSED =
  /^(?:integration action not found or disabled|workspace_membership_required|integration action '.*' requires connect:write)$/;

async function isCallable(tools: AggregateTools, caller: ToolCaller, name: string): Promise<boolean> {
  const { content, isError } = await tools.call(caller, name, {}, { signal: new AbortController().signal });
  return !(isError && REFUSED.test(String(content[0]?.['text'])));
}

const namesIn = ({ tools }: { readonly tools: Buffer }): string[] =>
  (JSON.parse(tools.toString('utf8')) as { name: string }[]).map(({ name }) => name);

/** Names that try to break out of a cache key, and names that are truncated to another tool's name. */
const cut = nameTool({ provider: 'github', connectionName: 'ä', tool: 'list-issues' }).slice(
  'github--'.length,
  -'__list-issues'.length,
);
const name = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('default', 'acme-old', 'default{"read-provider-resource":false}', cut, 'ä') },
  fc.constantFrom(
    'work',
    'default{"list-issues":false}',
    'default\nslack default',
    '\npipedrive default',
    'true ',
    '"',
    '",',
    '],[',
    'null',
    'a","b',
    '--x',
    '__',
    'x__list-issues',
    'a'.repeat(64),
  ),
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
    .map((text) => text.trim().replaceAll(/\s+/gu, '-').toLowerCase() || 'default'),
);
const wanted = fc.record({
  provider: fc.constantFrom(...PROVIDERS),
  name,
  actions: fc.dictionary(
    fc.constantFrom(
      'list-issues',
      'create-issue',
      'post-message',
      'read-provider-resource',
      'list-users',
      '",true],["',
    ),
    fc.boolean(),
    { maxKeys: 3, noNullPrototype: true },
  ),
});
const connections = fc.uniqueArray(wanted, {
  maxLength: 2,
  selector: (each) => JSON.stringify([each.provider, each.name]),
});
const cursor = fc.option(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom('\npipedrive default', '\nbamboohr acme-old', '\ngithub default', '\nslack default'),
    },
    fc.constantFrom('', 'true', 'github__list-issues', '"', '\ud800'),
    fc.string(),
  ),
  { nil: undefined },
);
const mostly = fc.constantFrom(true, true, true, false);
const step = fc.record({
  place: fc.nat({ max: 3 }),
  write: mostly,
  member: mostly,
  cursor,
  change: fc.option(connections, { nil: undefined }),
});
const PLACES = [
  ['org_a', 'ws_1'],
  ['org_a', 'ws_2'],
  ['org_b', 'ws_1'],
  ['org_b', 'ws_3'],
] as const;

describe('a list that is kept', () => {
  it('shows every caller the own workspace and nothing else, and what it shows is what can be called', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(connections, { minLength: 4, maxLength: 4 }),
        fc.array(step, { minLength: 1, maxLength: 12 }),
        async (first, steps) => {
          const places = PLACES.map(([organizationId, workspaceId], at): Place => ({
            organizationId,
            workspaceId,
            connections: (first[at] ?? []).map((each, n) => connect({ organizationId, workspaceId }, each, n)),
          }));
          const shared = createAggregateTools(depsOf(places), quiet);
          for (const { place: at, write, member, cursor: from, change } of steps) {
            const place = places[at];
            if (!place) continue;
            if (change) place.connections = change.map((each, n) => connect(place, each, n));
            const caller = callerOf(place, write ? ['connect:read', 'connect:write'] : ['connect:read'], member);
            const alone = createAggregateTools(depsOf([{ ...place }]), quiet);
            const shown = await shared.list(caller, from);
            expect(shown.tools.toString('utf8')).toBe((await alone.list(caller, from)).tools.toString('utf8'));
            const all = new Set(namesIn(await shared.list(caller, undefined)));
            expect([...all]).toEqual((await shared.listAll(caller)).map((listed) => listed.name));
            const named = place.connections.flatMap((connection) =>
              TOOLS.filter(({ provider }) => provider === connection.provider).map(({ provider, tool }) =>
                nameTool({ provider, connectionName: connection.name, tool: tool.name }),
              ),
            );
            for (const each of new Set([
              ...named,
              ...TOOLS.map(({ provider, tool }) => nameTool({ provider, connectionName: 'default', tool: tool.name })),
            ]))
              expect([each, await isCallable(shared, caller, each)]).toEqual([each, all.has(each)]);
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it.each([
    [
      'a cursor that looks like a connection',
      '\npipedrive default',
      [],
      [{ provider: 'pipedrive', name: 'default', actions: {} }],
    ],
    [
      "a cursor that looks like another's connection",
      '\nbamboohr acme-old',
      [],
      [{ provider: 'bamboohr', name: 'acme-old', actions: {} }],
    ],
    [
      'a name that looks like a policy',
      undefined,
      [{ provider: 'pipedrive', name: 'default{"read-provider-resource":false}', actions: {} }],
      [{ provider: 'pipedrive', name: 'default', actions: { 'read-provider-resource': false } }],
    ],
  ] as [string, string | undefined, Wanted[], Wanted[]][])(
    'is not another organization’s through %s',
    async (_, from, attacker, victim) => {
      const [a, b] = [
        { organizationId: 'org_a', workspaceId: 'ws_a' },
        { organizationId: 'org_b', workspaceId: 'ws_b' },
      ];
      const places = [
        { ...a, connections: attacker.map((each, n) => connect(a, each, n)) },
        { ...b, connections: victim.map((each, n) => connect(b, each, n)) },
      ];
      for (const order of [
        [a, b],
        [b, a],
      ]) {
        const shared = createAggregateTools(depsOf(places), quiet);
        for (const place of order) {
          const caller = callerOf(place, ['connect:read']);
          const given = place === a ? from : undefined;
          const alone = createAggregateTools(depsOf(places), quiet);
          expect(namesIn(await shared.list(caller, given))).toEqual(namesIn(await alone.list(caller, given)));
        }
      }
    },
  );

  it('gives a name that two tools would share to one of them, in the list as in a call', async () => {
    const place: Place = { organizationId: 'org_a', workspaceId: 'ws_1', connections: [] };
    const shared = createAggregateTools(depsOf([place]), quiet);
    const caller = callerOf(place, ['connect:read']);
    const shown = nameTool({ provider: 'github', connectionName: 'ä', tool: 'list-issues' });
    for (const [first, second] of [
      [{ 'list-issues': false }, {}],
      [{}, { 'list-issues': false }],
    ] as const) {
      place.connections = [
        connect(place, { provider: 'github', name: 'ä', actions: first }, 0),
        connect(place, { provider: 'github', name: cut, actions: second }, 1),
      ];
      expect(await isCallable(shared, caller, shown)).toBe(
        namesIn(await shared.list(caller, undefined)).includes(shown),
      );
    }
  });

  it('is served from what is kept until the policy changes', async () => {
    const place: Place = { organizationId: 'org_a', workspaceId: 'ws_1', connections: [] };
    const shared = createAggregateTools(depsOf([place]), quiet);
    const caller = callerOf(place, ['connect:read']);
    place.connections = [connect(place, { provider: 'github', name: 'default', actions: {} }, 0)];
    const first = await shared.list(caller, undefined);
    expect((await shared.list(caller, undefined)).tools).toBe(first.tools);
    place.connections = [connect(place, { provider: 'github', name: 'default', actions: { 'list-issues': false } }, 0)];
    expect(namesIn(await shared.list(caller, undefined))).not.toContain('github__list-issues');
  });

  it('of a workspace that many others ask after is forgotten and made again', async () => {
    const places = Array.from({ length: 2_100 }, (_, n): Place => ({
      organizationId: 'org_a',
      workspaceId: `ws_${n}`,
      connections: [],
    }));
    const shared = createAggregateTools(depsOf(places), quiet);
    const [firstPlace] = places;
    const first = await shared.list(callerOf(firstPlace as Place, ['connect:read']), undefined);
    for (const place of places.slice(1)) await shared.list(callerOf(place, ['connect:read']), undefined);
    const again = await shared.list(callerOf(firstPlace as Place, ['connect:read']), undefined);
    expect(again.tools).not.toBe(first.tools);
    expect(namesIn(again)).toEqual([]);
  });
});
