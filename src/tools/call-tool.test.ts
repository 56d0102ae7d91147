import { expect, it } from 'vitest';
import { AppError } from '../base/errors.ts';
import { loadConnectors } from '../catalog/load-connectors.ts';
import type { Connection } from '../connections/connection-types.ts';
import type { Membership } from '../tenancy/members/membership.ts';
import { createLoadingCache } from '../timing/bounded-cache.ts';
import { callTool, type ToolOutcome } from './call-tool.ts';
import { createSchemaChecks } from './compile-schemas.ts';
import type { ToolDeps } from './tool-deps.ts';

const catalog = loadConnectors();
const schemas = createSchemaChecks();

interface Given {
  readonly connection?: Partial<Connection>;
  /** What the app answers through the proxy. */
  readonly status?: number;
  readonly record?: boolean;
  readonly tool?: string;
}

async function call({
  connection: more = {},
  status = 200,
  record = true,
  tool = 'list-repositories',
}: Given): Promise<{
  outcome: ToolOutcome | string;
  written: string[];
  restored: string[];
}> {
  const [written, restored]: [string[], string[]] = [[], []];
  const connection: Connection = {
    id: 'con_1',
    organizationId: 'org_1',
    workspaceId: 'ws_1',
    provider: 'github',
    name: 'default',
    kind: 'integration-reference',
    status: 'valid',
    reason: undefined,
    expiry: undefined,
    lastValidatedAt: undefined,
    createdAt: new Date(0),
    updatedAt: new Date(0),
    policy: { actions: {}, repositories: { enforce: false, selected: [] }, push: 'off' },
    sealed: { ciphertext: Buffer.alloc(0), iv: Buffer.alloc(0), authTag: Buffer.alloc(0) },
    ...more,
  };
  const deps: ToolDeps = {
    catalog,
    schemas,
    timeoutMs: 1_000,
    connections: {
      find: async () => connection,
      list: async () => [connection],
      readReference: () => ({ kind: 'integration-reference', integrationId: 'i', connectionId: 'c' }),
      restore: async ({ id }) => void restored.push(id),
    },
    provider: {
      proxy: async () => ({ status, headers: {}, body: Buffer.alloc(0) }),
      getConnection: () => Promise.reject(new Error('not asked here')),
      openMcpServer: () => Promise.reject(new AppError('provider_unreachable')),
    },
    receipts: {
      async append(stream, { kind, actor, body }) {
        written.push(`${kind} ${String((body as { error?: string }).error ?? '')}`.trim());
        return {
          stream,
          index: 0,
          kind,
          actor,
          body,
          at: '',
          text: '',
          prev: Buffer.alloc(32),
          hash: Buffer.alloc(32),
        };
      },
    },
    sites: createLoadingCache({ ttlMs: 1, most: 1, nowMs: () => 0 }),
    discovered: createLoadingCache({ ttlMs: 1, most: 1, nowMs: () => 0 }),
  };
  const membership = { organizationId: 'org_1', workspaceId: 'ws_1', isWorkspaceMember: true } as Membership;
  const outcome = await callTool(
    deps,
    { userId: 'usr_1', scopes: new Set(['connect:read', 'connect:write']), membership },
    { connection: 'con_1', tool, arguments: {}, record, signal: new AbortController().signal },
  ).catch((error: unknown) => (error as AppError).code);
  return { outcome, written, restored };
}

const failedRenewal = { status: 'invalid', reason: 'provider_auth_refresh_failed' } as const;

it.each([
  ['whose renewal had failed is valid again', failedRenewal, 200, ['con_1']],
  ['whose renewal had failed stays so when the app refuses', failedRenewal, 401, []],
  ['that is invalid for another reason stays so', { status: 'invalid', reason: 'provider_connection_errors' }, 200, []],
  ['that is healthy is left alone', {}, 200, []],
] as const)('after a call, over REST or MCP, a connection %s', async (_what, connection, status, expected) => {
  for (const record of [true, false]) expect((await call({ connection, status, record })).restored).toEqual(expected);
});

it('a call whose tool the app cannot be asked for fails with a receipt of its own, and only where the action is not disabled', async () => {
  const linear = { provider: 'linear-mcp' };
  const failed = await call({ connection: linear, tool: 'any' });
  expect(failed.written).toEqual(['tool.failed provider_unreachable']);
  expect(failed.outcome).toMatchObject({
    failure: { code: 'provider_unreachable' },
    receipt: { stream: 'connect/ws_1' },
  });
  expect((await call({ connection: linear, tool: 'any', record: false })).written).toEqual([]);
  const disabled = {
    ...linear,
    policy: { actions: { any: false }, repositories: { enforce: false, selected: [] }, push: 'off' as const },
  };
  expect(await call({ connection: disabled, tool: 'any' })).toMatchObject({ outcome: 'tool_not_found', written: [] });
});
