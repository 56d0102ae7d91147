// Environments over HTTP. The scope that the contract names for a route is checked first, then the caller's membership.
import { implement } from '@orpc/server';
import { AppError } from '../../base/errors.ts';
import { runtimeContract } from '../../contract/contract.ts';
import { type EnvironmentDeps, putEnvironment, removeEnvironment } from '../../runs/environments/change-environment.ts';
import { presentEnvironment } from '../../runs/environments/environment.ts';
import { getEnvironment, listEnvironments, type SeenEnvironment } from '../../runs/environments/find-environments.ts';
import { forgetSetups, listSetups, type Setup } from '../../runs/environments/setups.ts';
import { requireMutationAuthority, seesWorkspace } from '../../tenancy/authority.ts';
import type { Membership } from '../../tenancy/members/membership.ts';
import { type Caller, findCallerMembership } from '../../tenancy/tokens/find-caller.ts';

export function environmentsRouter(deps: EnvironmentDeps) {
  const { db } = deps;
  const route = implement(runtimeContract.environments).$context<{ caller: Caller }>();
  const present = ({ environment, editable }: SeenEnvironment) => presentEnvironment(environment, editable);

  const getSeen = async (caller: Caller, workspace: string | undefined): Promise<Membership> => {
    const membership = await findCallerMembership(db, caller, workspace);
    if (!membership || !seesWorkspace(membership)) throw new AppError('workspace_membership_required');
    return membership;
  };
  const getManaged = async (caller: Caller, workspace: string | undefined): Promise<Membership> => {
    const membership = await getSeen(caller, workspace);
    requireMutationAuthority(membership);
    return membership;
  };

  return route.router({
    list: route.list.handler(async ({ input: { workspace, ...query }, context: { caller } }) => {
      const membership = workspace === undefined ? undefined : await getSeen(caller, workspace);
      const found = await listEnvironments(db, caller, { ...query, workspaceId: membership?.workspaceId });
      return {
        environments: found.environments.map(present),
        ...(found.cursor === undefined ? {} : { cursor: found.cursor }),
      };
    }),

    get: route.get.handler(async ({ input: { name, workspace }, context: { caller } }) => {
      const { workspaceId } = await getSeen(caller, workspace);
      return { environment: present(await getEnvironment(db, caller, { workspace: workspaceId, name })) };
    }),

    put: route.put.handler(async ({ input: { params, query, body }, context: { caller } }) => {
      const membership = await getManaged(caller, query.workspace);
      return { environment: present(await putEnvironment(deps, membership, { name: params.name, content: body })) };
    }),

    setup: route.setup.handler(async ({ input: { name, workspace }, context: { caller } }) => {
      const { workspaceId } = await getSeen(caller, workspace);
      const { environment } = await getEnvironment(db, caller, { workspace: workspaceId, name });
      return { setups: (await listSetups(db, environment.id)).map(presentSetup) };
    }),

    rebuild: route.rebuild.handler(async ({ input: { params, query }, context: { caller } }) => {
      const { workspaceId } = await getManaged(caller, query.workspace);
      const { environment, editable } = await getEnvironment(db, caller, { workspace: workspaceId, name: params.name });
      if (!editable) throw new AppError('workspace_authority_required');
      await forgetSetups(db, environment.id);
      return { ok: true as const };
    }),

    remove: route.remove.handler(async ({ input: { params, query }, context: { caller } }) => {
      await removeEnvironment(db, await getManaged(caller, query.workspace), params.name);
      return { ok: true as const };
    }),
  });
}

function presentSetup({ digest, state, log, bytes, startedAt, endedAt }: Setup) {
  return {
    digest,
    state,
    log,
    bytes,
    startedAt: startedAt.toISOString(),
    ...(endedAt === undefined ? {} : { endedAt: endedAt.toISOString() }),
  };
}
