// List and call make the same decision for every tool of the catalogue, role, scope and policy.
import { describe, expect, it } from 'vitest';
import type { Connector, Tool } from '../catalog/connector-types.ts';
import { loadConnectors } from '../catalog/load-connectors.ts';
import type { Connection } from '../connections/connection-types.ts';
import type { Role } from '../contract/common.ts';
import type { Scope } from '../contract/tokens.ts';
import type { Membership } from '../tenancy/members/membership.ts';
import { callTool } from './call-tool.ts';
import { createSchemaChecks } from './compile-schemas.ts';
import { createLoadingCache } from '../timing/bounded-cache.ts';
import { listTools } from './list-tools.ts';
import { nameTool } from './name-tool.ts';
import type { ToolDeps } from './tool-deps.ts';

const catalog = loadConnectors();
const STATIC = catalog.connectors.flatMap((connector: Connector) =>
  connector.tools.map((tool: Tool) => ({ provider: connector.id, tool })),
);

const membershipOf = (organizationRole: Role, workspaceRole: Role | undefined): Membership => ({
  userId: 'usr_1',
  organizationId: 'org_1',
  organizationSlug: 'o',
  organizationName: 'O',
  organizationRole,
  plan: 'free',
  workspaceId: 'ws_1',
  workspaceSlug: 'w',
  workspaceName: 'W',
  workspaceKind: 'named',
  workspaceCreatedAt: new Date(0),
  workspaceRole,
  isWorkspaceMember: workspaceRole !== undefined,
});

const MEMBERSHIPS: readonly (Membership | undefined)[] = [
  undefined,
  membershipOf('owner', undefined),
  membershipOf('owner', 'owner'),
  membershipOf('admin', 'admin'),
  membershipOf('member', 'member'),
  membershipOf('member', 'owner'),
];
const SCOPES: readonly Scope[][] = [['connect:read'], ['connect:write'], ['connect:read', 'connect:write']];
const POLICIES: readonly ((tool: string) => Record<string, boolean>)[] = [
  () => ({}),
  (tool) => ({ [tool]: true }),
  (tool) => ({ [tool]: false }),
  () => ({ other: true }),
];

function connectionOf(
  provider: string,
  actions: Record<string, boolean>,
  kind: Connection['kind'] = 'integration-reference',
): Connection {
  return {
    id: 'con_1',
    organizationId: 'org_1',
    workspaceId: 'ws_1',
    provider,
    name: 'default',
    kind,
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

const schemas = createSchemaChecks();

function depsOf(connection: Connection): ToolDeps {
  const refuse = () => Promise.reject(new Error('not asked here'));
  return {
    catalog,
    schemas,
    timeoutMs: 1_000,
    connections: {
      find: async () => connection,
      list: async () => [connection],
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

const REFUSALS = new Set(['workspace_membership_required', 'tool_not_found', 'write_scope_required']);

/** 'called' if every check of the caller passed: arguments are checked only after that. */
async function callOutcome(
  connection: Connection,
  membership: Membership | undefined,
  scopes: readonly Scope[],
  tool: string,
): Promise<string> {
  const call = { connection: 'con_1', tool, arguments: {}, record: false, signal: new AbortController().signal };
  const code = await callTool(depsOf(connection), { userId: 'usr_1', scopes: new Set(scopes), membership }, call).then(
    () => 'called',
    (error: unknown) => (error as { code?: string }).code ?? String(error),
  );
  return REFUSALS.has(code) ? code : code === 'called' || code === 'invalid_request' ? 'called' : code;
}

const listed = (connection: Connection, membership: Membership | undefined, scopes: readonly Scope[]): Set<string> =>
  new Set(
    listTools(catalog, [connection], { isMember: membership?.isWorkspaceMember === true, scopes: new Set(scopes) }).map(
      ({ name }) => name,
    ),
  );

describe.each(STATIC.map(({ provider, tool }) => [provider, tool.name, tool] as const))(
  '%s %s',
  (provider, name, tool) => {
    it('is listed exactly where it can be called, and refused for the right reason elsewhere', async () => {
      for (const membership of MEMBERSHIPS) {
        for (const scopes of SCOPES) {
          for (const [at, policy] of POLICIES.entries()) {
            const connection = connectionOf(provider, policy(name));
            const outcome = await callOutcome(connection, membership, scopes, name);
            const enabled = at === 1 || (at !== 2 && tool.access === 'read');
            const expected = !membership?.isWorkspaceMember
              ? 'workspace_membership_required'
              : !enabled
                ? 'tool_not_found'
                : tool.access === 'write' && !scopes.includes('connect:write')
                  ? 'write_scope_required'
                  : 'called';
            expect(outcome).toBe(expected);
            expect(
              listed(connection, membership, scopes).has(nameTool({ provider, connectionName: 'default', tool: name })),
            ).toBe(outcome === 'called');
          }
        }
      }
    });
  },
);

it('imports of local kinds have no tools, in the list or called', async () => {
  const member = membershipOf('owner', 'owner');
  for (const kind of ['local-cloud-profile', 'cloud-credential-process', 'code-host-token'] as const) {
    const connection = connectionOf('github', {}, kind);
    expect(listed(connection, member, ['connect:read']).size).toBe(0);
    expect(await callOutcome(connection, member, ['connect:read'], 'list-repositories')).toBe('tool_not_found');
  }
});
