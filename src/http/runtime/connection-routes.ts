// Connections over HTTP. The scope that the contract names for a route is checked first, then the caller's membership
// in the workspace, and only then the rest of the input.
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
import { id } from '../../contract/common.ts';
import { connectContract } from '../../contract/contract.ts';
import { hasMutationAuthority, requireMutationAuthority, seesWorkspace } from '../../tenancy/authority.ts';
import { type Caller, findCallerMembership } from '../../tenancy/tokens/find-caller.ts';
import type { Membership } from '../../tenancy/members/membership.ts';

export interface ConnectionRouteDeps extends ConnectionDeps {
  readonly repairs: RepairSchedule;
}

export function connectionsRouter(deps: ConnectionRouteDeps) {
  const { db, catalog, repairs, clock } = deps;
  const { route, inWorkspace, onConnection } = authorizedRoutes(deps);
  const connectors = catalog.connectors.map(presentConnector);
  const ofMembers = inWorkspace(requireMember);
  const managed = onConnection(requireMutationAuthority);

  return route.router({
    list: ofMembers.list.handler(async ({ context: { membership } }) => {
      await repairs.awaitRepair(membership);
      return { connections: (await listConnections(db, membership, clock())).map(presentConnection) };
    }),

    connectors: route.connectors.handler(async ({ input, context: { caller } }) => {
      const membership = await findCallerMembership(db, caller, input.workspace);
      if (membership?.isWorkspaceMember) repairs.deferRepair(membership);
      return { connectors, counts: catalog.counts, configured: deps.integrations !== undefined };
    }),

    capabilities: ofMembers.capabilities.handler(async ({ context: { membership } }) => {
      repairs.deferRepair(membership);
      return readCapabilities(db, membership, catalog, clock());
    }),

    openSession: ofMembers.openSession.handler(async ({ input: { provider, name }, context: { membership } }) => {
      const { userId, organizationId, workspaceId } = membership;
      return openConnectSession(deps, {
        userId,
        hasAuthority: hasMutationAuthority(membership),
        organizationId,
        workspaceId,
        provider,
        name: name ?? undefined,
      });
    }),

    import: inWorkspace(requireManager).import.handler(async ({ input, context: { membership } }) => {
      const { userId, organizationId, workspaceId } = membership;
      const { provider, name, workspace: _workspace, ...reference } = input;
      return {
        connection: presentConnection(
          await importConnection(deps, {
            userId,
            organizationId,
            workspaceId,
            provider,
            name: name ?? undefined,
            reference: reference as ImportedReference,
          }),
        ),
      };
    }),

    readPolicy: onConnection(() => {}).readPolicy.handler(({ context: { connection } }) =>
      onWire(effectivePolicy(findConnector(catalog, connection.provider), connection.policy)),
    ),

    writePolicy: managed.writePolicy.handler(async ({ input: { body }, context: { caller, connection } }) => {
      const connector = findConnector(catalog, connection.provider);
      return onWire(
        effectivePolicy(connector, await writeConnectionPolicy(db, { connection, connector }, body, caller.userId)),
      );
    }),

    remove: managed.remove.handler(async ({ context: { connection } }) => {
      await removeConnection(deps, connection);
      return { ok: true as const };
    }),
  });
}

/**
 * Both check membership before the input is validated, so that a caller without access learns nothing from the errors.
 */
function authorizedRoutes(deps: ConnectionRouteDeps) {
  const route = implement(connectContract.connections).$context<{ caller: Caller }>();
  return {
    route,
    inWorkspace: (require: (membership: Membership | undefined) => Membership) =>
      route.use(async ({ context: { caller }, next }, input) =>
        next({ context: { membership: require(await findCallerMembership(deps.db, caller, workspaceIn(input))) } }),
      ),
    onConnection: (require: (membership: Membership) => void) =>
      route.use(async ({ context: { caller }, next }, input) => {
        const { params, query } = (input ?? {}) as { params?: { id?: unknown }; query?: unknown };
        const found = await locate(deps, caller, String(params?.id), workspaceIn(query));
        require(found.membership);
        return next({ context: found });
      }),
  };
}

/** The workspace named in input that is not validated yet; an invalid name is refused by the validation. */
function workspaceIn(input: unknown): string | undefined {
  const named = id.safeParse((input as { workspace?: unknown } | null | undefined)?.workspace);
  return named.success ? named.data : undefined;
}

/** Only members see the connections of a workspace. */
function requireMember(membership: Membership | undefined): Membership {
  if (!membership?.isWorkspaceMember) throw new AppError('workspace_membership_required');
  return membership;
}

/** Owners and admins of the organization manage its workspaces without being members of them. */
function requireVisible(membership: Membership | undefined): Membership {
  if (!membership || !seesWorkspace(membership)) throw new AppError('workspace_membership_required');
  return membership;
}

function requireManager(membership: Membership | undefined): Membership {
  const visible = requireVisible(membership);
  requireMutationAuthority(visible);
  return visible;
}

/** A connection by id or selector. A token of the whole organization may name an id in any of its workspaces. */
async function locate(
  { db, clock }: ConnectionDeps,
  caller: Caller,
  selector: string,
  workspace: string | undefined,
): Promise<{ connection: Connection; membership: Membership }> {
  const roams = workspace === undefined && caller.workspaceId === undefined && caller.organizationId !== undefined;
  const home = roams ? await findWorkspaceOf(db, caller.organizationId ?? '', selector) : undefined;
  const membership = await findCallerMembership(db, caller, home ?? workspace);
  if (home === undefined) requireVisible(membership);
  const connection =
    membership && seesWorkspace(membership)
      ? await findConnection(db, membership, selector, { registry: true, now: clock() })
      : undefined;
  // The same answer as for a disabled action, so that it does not reveal which connections exist.
  if (!connection || !membership) throw new AppError('tool_not_found');
  return { connection, membership };
}

function presentConnector(connector: Connector) {
  const { id, name, category, purpose, reads, words, popular, personal, auth, surface, codeHost, command, tools } =
    connector;
  return {
    id,
    name,
    category,
    purpose,
    reads,
    words: [...words],
    ...(popular ? { popular } : {}),
    ...(personal ? { personal } : {}),
    auth,
    surface,
    ...(codeHost ? { codeHost } : {}),
    ...(command ? { cli: command.cli } : {}),
    tools: tools.map((tool: Tool) => ({
      name: tool.name,
      access: tool.access,
      description: tool.description,
      inputSchema: tool.inputSchema as unknown,
    })),
  };
}

function onWire({ actions, repositories, push }: ReturnType<typeof effectivePolicy>) {
  return {
    actions: { ...actions },
    repositories: { enforce: repositories.enforce, selected: [...repositories.selected] },
    push,
  };
}
