// Connections over HTTP. Every route asks for the scope first, then where the caller stands in the workspace it means.
import { implement } from '@orpc/server';
import { AppError } from '../../base/errors.ts';
import type { Connector, Tool } from '../../catalog/connector-types.ts';
import { findConnector } from '../../catalog/find-connector.ts';
import { readCapabilities } from '../../connections/capabilities.ts';
import { openConnectSession } from '../../connections/connect-session.ts';
import type { ConnectionDeps } from '../../connections/connection-deps.ts';
import type { Connection } from '../../connections/connection-types.ts';
import { findConnection, findWorkspaceOf, listConnections } from '../../connections/find-connection.ts';
import { importConnection, type ImportedReference } from '../../connections/import-connection.ts';
import { effectivePolicy, writeConnectionPolicy } from '../../connections/policy.ts';
import { presentConnection } from '../../connections/present-connection.ts';
import { removeConnection } from '../../connections/remove-connection.ts';
import type { RepairSchedule } from '../../connections/repair-schedule.ts';
import { connectContract } from '../../contract/contract.ts';
import { requireMutationAuthority, seesWorkspace } from '../../tenancy/authority.ts';
import { type Caller, findCallerStanding } from '../../tenancy/find-caller.ts';
import type { Standing } from '../../tenancy/standing.ts';
import { requireConnectScope } from './connect-scope.ts';

export interface ConnectionRouteDeps extends ConnectionDeps {
  readonly repairs: RepairSchedule;
}

export function connectionsRouter(deps: ConnectionRouteDeps) {
  const { db, catalog, repairs, clock } = deps;
  const route = implement(connectContract.connections).$context<{ caller: Caller }>();
  const connectors = catalog.connectors.map(presentConnector);

  return route.router({
    list: route.list.handler(async ({ input, context: { caller } }) => {
      requireConnectScope(caller, 'connect:read');
      const standing = requireMember(await findCallerStanding(db, caller, input.workspace));
      await repairs.awaitRepair(standing);
      return { connections: (await listConnections(db, standing, clock())).map(presentConnection) };
    }),

    connectors: route.connectors.handler(async ({ input, context: { caller } }) => {
      requireConnectScope(caller, 'connect:read');
      const standing = await findCallerStanding(db, caller, input.workspace);
      if (standing?.isWorkspaceMember) repairs.deferRepair(standing);
      return { connectors, counts: catalog.counts, configured: deps.integrations !== undefined };
    }),

    capabilities: route.capabilities.handler(async ({ input, context: { caller } }) => {
      requireConnectScope(caller, 'connect:read');
      const standing = requireMember(await findCallerStanding(db, caller, input.workspace));
      repairs.deferRepair(standing);
      return readCapabilities(db, standing, catalog, clock());
    }),

    openSession: route.openSession.handler(async ({ input: { provider, name, workspace }, context: { caller } }) => {
      requireConnectScope(caller, 'connect:write');
      const { userId, organizationId, workspaceId } = requireMember(await findCallerStanding(db, caller, workspace));
      return openConnectSession(deps, { userId, organizationId, workspaceId, provider, name: name ?? undefined });
    }),

    import: route.import.handler(async ({ input, context: { caller } }) => {
      requireConnectScope(caller, 'connect:write');
      const standing = requireVisible(await findCallerStanding(db, caller, input.workspace));
      requireMutationAuthority(standing);
      const { userId, organizationId, workspaceId } = standing;
      const { provider, name, workspace: _workspace, ...reference } = input;
      return { connection: presentConnection(await importConnection(deps, { userId, organizationId, workspaceId, provider, name: name ?? undefined, reference: reference as ImportedReference })) };
    }),

    readPolicy: route.readPolicy.handler(async ({ input: { params, query }, context: { caller } }) => {
      requireConnectScope(caller, 'connect:read');
      const { connection } = await locate(deps, caller, params.id, query?.workspace);
      return onWire(effectivePolicy(findConnector(catalog, connection.provider), connection.policy));
    }),

    writePolicy: route.writePolicy.handler(async ({ input: { params, query, body }, context: { caller } }) => {
      requireConnectScope(caller, 'connect:write');
      const { connection, standing } = await locate(deps, caller, params.id, query?.workspace);
      requireMutationAuthority(standing);
      const connector = findConnector(catalog, connection.provider);
      return onWire(effectivePolicy(connector, await writeConnectionPolicy(db, connection, connector, body, caller.userId)));
    }),

    remove: route.remove.handler(async ({ input: { params, query }, context: { caller } }) => {
      requireConnectScope(caller, 'connect:write');
      const { connection, standing } = await locate(deps, caller, params.id, query?.workspace);
      requireMutationAuthority(standing);
      await removeConnection(deps, connection);
      return { ok: true as const };
    }),
  });
}

/** Only members see what a workspace has connected. */
function requireMember(standing: Standing | undefined): Standing {
  if (!standing?.isWorkspaceMember) throw new AppError('workspace_membership_required');
  return standing;
}

/** Who manages the organization manages its workspaces without being in them. */
function requireVisible(standing: Standing | undefined): Standing {
  if (!standing || !seesWorkspace(standing)) throw new AppError('workspace_membership_required');
  return standing;
}

/** A connection by id or selector. An id alone is looked for in the whole organization of a token that may roam it. */
async function locate({ db, clock }: ConnectionDeps, caller: Caller, selector: string, workspace: string | undefined): Promise<{ connection: Connection; standing: Standing }> {
  const roams = workspace === undefined && caller.workspaceId === undefined && caller.organizationId !== undefined;
  const home = roams ? await findWorkspaceOf(db, caller.organizationId ?? '', selector) : undefined;
  const standing = await findCallerStanding(db, caller, home ?? workspace);
  if (home === undefined) requireVisible(standing);
  const connection = standing && seesWorkspace(standing) ? await findConnection(db, standing, selector, { registry: true, now: clock() }) : undefined;
  if (!connection || !standing) throw new AppError('not_found');
  return { connection, standing };
}

function presentConnector({ id, name, category, auth, surface, codeHost, command, tools }: Connector) {
  return {
    id,
    name,
    category,
    auth,
    surface,
    ...(codeHost ? { codeHost } : {}),
    ...(command ? { cli: command.cli } : {}),
    tools: tools.map((tool: Tool) => ({ name: tool.name as string, access: tool.access, description: tool.description, inputSchema: tool.inputSchema as unknown })),
  };
}

function onWire({ actions, repositories }: ReturnType<typeof effectivePolicy>) {
  return { actions: { ...actions }, repositories: { enforce: repositories.enforce, selected: [...repositories.selected] } };
}
